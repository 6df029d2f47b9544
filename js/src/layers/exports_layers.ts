/** `tf.layers`: a maker for every layer, by TensorFlow.js' names. */
import {maker} from './factory.js';
import {
  ELU, LeakyReLU, PReLU, ReLU, Softmax, ThresholdedReLU,
} from './families/activation.js';
import {Bidirectional} from './families/bidirectional.js';
import {SimpleRNNCell} from './families/cells.js';
import {Conv1D, Conv2D} from './families/conv.js';
import {Conv2DTranspose} from './families/conv_transpose.js';
import {
  Activation, Dense, Flatten, Permute, RepeatVector, Reshape,
} from './families/core.js';
import {DepthwiseConv2D} from './families/depthwise.js';
import {Embedding} from './families/embedding.js';
import {GRUCell, LSTMCell} from './families/gated_cells.js';
import {Masking} from './families/masking.js';
import {
  Add, Average, Maximum, Minimum, Multiply, Subtract,
} from './families/merge.js';
import {Concatenate, Dot} from './families/merge_axes.js';
import {
  AlphaDropout, Dropout, GaussianDropout, GaussianNoise, SpatialDropout1D,
} from './families/noise.js';
import {
  BatchNormalization, LayerNormalization,
} from './families/normalization.js';
import {Cropping2D, ZeroPadding2D} from './families/padding.js';
import {
  AveragePooling1D, AveragePooling2D, GlobalAveragePooling1D,
  GlobalAveragePooling2D, GlobalMaxPooling1D, GlobalMaxPooling2D, MaxPooling1D,
  MaxPooling2D,
} from './families/pooling.js';
import {GRU, LSTM, RNN, SimpleRNN} from './families/rnn.js';
import {SeparableConv2D} from './families/separable.js';
import {StackedRNNCells} from './families/stacked_cells.js';
import {TimeDistributed} from './families/time_distributed.js';
import {UpSampling2D} from './families/upsampling.js';
import {InputLayer} from './input.js';

export {Layer} from './layer.js';
export {RNNCell} from './families/cells.js';
export {RNN} from './families/rnn.js';
export {input} from './input.js';

export const inputLayer = /* @__PURE__ */ maker(InputLayer);

export const activation = /* @__PURE__ */ maker(Activation);
export const dense = /* @__PURE__ */ maker(Dense);
export const flatten = /* @__PURE__ */ maker(Flatten);
export const permute = /* @__PURE__ */ maker(Permute);
export const repeatVector = /* @__PURE__ */ maker(RepeatVector);
export const reshape = /* @__PURE__ */ maker(Reshape);
export const embedding = /* @__PURE__ */ maker(Embedding);
export const masking = /* @__PURE__ */ maker(Masking);

export const elu = /* @__PURE__ */ maker(ELU);
export const leakyReLU = /* @__PURE__ */ maker(LeakyReLU);
export const prelu = /* @__PURE__ */ maker(PReLU);
export const reLU = /* @__PURE__ */ maker(ReLU);
export const softmax = /* @__PURE__ */ maker(Softmax);
export const thresholdedReLU = /* @__PURE__ */ maker(ThresholdedReLU);

export const add = /* @__PURE__ */ maker(Add);
export const average = /* @__PURE__ */ maker(Average);
export const concatenate = /* @__PURE__ */ maker(Concatenate);
export const dot = /* @__PURE__ */ maker(Dot);
export const maximum = /* @__PURE__ */ maker(Maximum);
export const minimum = /* @__PURE__ */ maker(Minimum);
export const multiply = /* @__PURE__ */ maker(Multiply);
export const subtract = /* @__PURE__ */ maker(Subtract);

export const batchNormalization = /* @__PURE__ */ maker(BatchNormalization);
export const layerNormalization = /* @__PURE__ */ maker(LayerNormalization);

export const alphaDropout = /* @__PURE__ */ maker(AlphaDropout);
export const dropout = /* @__PURE__ */ maker(Dropout);
export const gaussianDropout = /* @__PURE__ */ maker(GaussianDropout);
export const gaussianNoise = /* @__PURE__ */ maker(GaussianNoise);
export const spatialDropout1d = /* @__PURE__ */ maker(SpatialDropout1D);

export const conv1d = /* @__PURE__ */ maker(Conv1D);
export const conv2d = /* @__PURE__ */ maker(Conv2D);
export const conv2dTranspose = /* @__PURE__ */ maker(Conv2DTranspose);
export const depthwiseConv2d = /* @__PURE__ */ maker(DepthwiseConv2D);
export const separableConv2d = /* @__PURE__ */ maker(SeparableConv2D);
export const cropping2D = /* @__PURE__ */ maker(Cropping2D);
export const zeroPadding2d = /* @__PURE__ */ maker(ZeroPadding2D);
export const upSampling2d = /* @__PURE__ */ maker(UpSampling2D);

export const averagePooling1d = /* @__PURE__ */ maker(AveragePooling1D);
export const avgPool1d = averagePooling1d;
export const avgPooling1d = averagePooling1d;
export const averagePooling2d = /* @__PURE__ */ maker(AveragePooling2D);
export const avgPool2d = averagePooling2d;
export const avgPooling2d = averagePooling2d;
export const maxPooling1d = /* @__PURE__ */ maker(MaxPooling1D);
export const maxPool1d = maxPooling1d;
export const maxPooling2d = /* @__PURE__ */ maker(MaxPooling2D);
export const maxPool2d = maxPooling2d;
export const globalAveragePooling1d = /* @__PURE__ */ maker(GlobalAveragePooling1D);
export const globalAveragePooling2d = /* @__PURE__ */ maker(GlobalAveragePooling2D);
export const globalMaxPooling1d = /* @__PURE__ */ maker(GlobalMaxPooling1D);
export const globalMaxPool1d = globalMaxPooling1d;
export const globalMaxPooling2d = /* @__PURE__ */ maker(GlobalMaxPooling2D);
export const globalMaxPool2d = globalMaxPooling2d;

export const bidirectional = /* @__PURE__ */ maker(Bidirectional);
export const gru = /* @__PURE__ */ maker(GRU);
export const gruCell = /* @__PURE__ */ maker(GRUCell);
export const lstm = /* @__PURE__ */ maker(LSTM);
export const lstmCell = /* @__PURE__ */ maker(LSTMCell);
export const rnn = /* @__PURE__ */ maker(RNN);
export const simpleRNN = /* @__PURE__ */ maker(SimpleRNN);
export const simpleRNNCell = /* @__PURE__ */ maker(SimpleRNNCell);
export const stackedRNNCells = /* @__PURE__ */ maker(StackedRNNCells);
export const timeDistributed = /* @__PURE__ */ maker(TimeDistributed);
