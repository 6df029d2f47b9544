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

export const inputLayer = maker(InputLayer);

export const activation = maker(Activation);
export const dense = maker(Dense);
export const flatten = maker(Flatten);
export const permute = maker(Permute);
export const repeatVector = maker(RepeatVector);
export const reshape = maker(Reshape);
export const embedding = maker(Embedding);
export const masking = maker(Masking);

export const elu = maker(ELU);
export const leakyReLU = maker(LeakyReLU);
export const prelu = maker(PReLU);
export const reLU = maker(ReLU);
export const softmax = maker(Softmax);
export const thresholdedReLU = maker(ThresholdedReLU);

export const add = maker(Add);
export const average = maker(Average);
export const concatenate = maker(Concatenate);
export const dot = maker(Dot);
export const maximum = maker(Maximum);
export const minimum = maker(Minimum);
export const multiply = maker(Multiply);
export const subtract = maker(Subtract);

export const batchNormalization = maker(BatchNormalization);
export const layerNormalization = maker(LayerNormalization);

export const alphaDropout = maker(AlphaDropout);
export const dropout = maker(Dropout);
export const gaussianDropout = maker(GaussianDropout);
export const gaussianNoise = maker(GaussianNoise);
export const spatialDropout1d = maker(SpatialDropout1D);

export const conv1d = maker(Conv1D);
export const conv2d = maker(Conv2D);
export const conv2dTranspose = maker(Conv2DTranspose);
export const depthwiseConv2d = maker(DepthwiseConv2D);
export const separableConv2d = maker(SeparableConv2D);
export const cropping2D = maker(Cropping2D);
export const zeroPadding2d = maker(ZeroPadding2D);
export const upSampling2d = maker(UpSampling2D);

export const averagePooling1d = maker(AveragePooling1D);
export const avgPool1d = averagePooling1d;
export const avgPooling1d = averagePooling1d;
export const averagePooling2d = maker(AveragePooling2D);
export const avgPool2d = averagePooling2d;
export const avgPooling2d = averagePooling2d;
export const maxPooling1d = maker(MaxPooling1D);
export const maxPool1d = maxPooling1d;
export const maxPooling2d = maker(MaxPooling2D);
export const maxPool2d = maxPooling2d;
export const globalAveragePooling1d = maker(GlobalAveragePooling1D);
export const globalAveragePooling2d = maker(GlobalAveragePooling2D);
export const globalMaxPooling1d = maker(GlobalMaxPooling1D);
export const globalMaxPool1d = globalMaxPooling1d;
export const globalMaxPooling2d = maker(GlobalMaxPooling2D);
export const globalMaxPool2d = globalMaxPooling2d;

export const bidirectional = maker(Bidirectional);
export const gru = maker(GRU);
export const gruCell = maker(GRUCell);
export const lstm = maker(LSTM);
export const lstmCell = maker(LSTMCell);
export const rnn = maker(RNN);
export const simpleRNN = maker(SimpleRNN);
export const simpleRNNCell = maker(SimpleRNNCell);
export const stackedRNNCells = maker(StackedRNNCells);
export const timeDistributed = maker(TimeDistributed);
