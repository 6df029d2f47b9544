/** `tf.layers`: a maker for every layer, by TensorFlow.js' names. */
import {maker} from './factory.js';
import {Bidirectional} from './families/bidirectional.js';
import {SimpleRNNCell} from './families/cells.js';
import {Conv1D, Conv2D} from './families/conv.js';
import {Conv2DTranspose} from './families/conv_transpose.js';
import {DepthwiseConv2D} from './families/depthwise.js';
import {GRUCell, LSTMCell} from './families/gated_cells.js';
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

export * from './exports_basic.js';
export {Layer} from './layer.js';
export {RNNCell} from './families/cells.js';
export {RNN} from './families/rnn.js';
export {input} from './input.js';

/** Makes a {@link InputLayer}. */
export const inputLayer = /* @__PURE__ */ maker(InputLayer);

/** Makes a {@link Conv1D}. */
export const conv1d = /* @__PURE__ */ maker(Conv1D);
/** Makes a {@link Conv2D}. */
export const conv2d = /* @__PURE__ */ maker(Conv2D);
/** Makes a {@link Conv2DTranspose}. */
export const conv2dTranspose = /* @__PURE__ */ maker(Conv2DTranspose);
/** Makes a {@link DepthwiseConv2D}. */
export const depthwiseConv2d = /* @__PURE__ */ maker(DepthwiseConv2D);
/** Makes a {@link SeparableConv2D}. */
export const separableConv2d = /* @__PURE__ */ maker(SeparableConv2D);
/** Makes a {@link Cropping2D}. */
export const cropping2D = /* @__PURE__ */ maker(Cropping2D);
/** Makes a {@link ZeroPadding2D}. */
export const zeroPadding2d = /* @__PURE__ */ maker(ZeroPadding2D);
/** Makes a {@link UpSampling2D}. */
export const upSampling2d = /* @__PURE__ */ maker(UpSampling2D);

/** Makes a {@link AveragePooling1D}. */
export const averagePooling1d = /* @__PURE__ */ maker(AveragePooling1D);
/** Another name of `averagePooling1d`. */
export const avgPool1d = averagePooling1d;
/** Another name of `averagePooling1d`. */
export const avgPooling1d = averagePooling1d;
/** Makes a {@link AveragePooling2D}. */
export const averagePooling2d = /* @__PURE__ */ maker(AveragePooling2D);
/** Another name of `averagePooling2d`. */
export const avgPool2d = averagePooling2d;
/** Another name of `averagePooling2d`. */
export const avgPooling2d = averagePooling2d;
/** Makes a {@link MaxPooling1D}. */
export const maxPooling1d = /* @__PURE__ */ maker(MaxPooling1D);
/** Another name of `maxPooling1d`. */
export const maxPool1d = maxPooling1d;
/** Makes a {@link MaxPooling2D}. */
export const maxPooling2d = /* @__PURE__ */ maker(MaxPooling2D);
/** Another name of `maxPooling2d`. */
export const maxPool2d = maxPooling2d;
/** Makes a {@link GlobalAveragePooling1D}. */
export const globalAveragePooling1d = /* @__PURE__ */ maker(GlobalAveragePooling1D);
/** Makes a {@link GlobalAveragePooling2D}. */
export const globalAveragePooling2d = /* @__PURE__ */ maker(GlobalAveragePooling2D);
/** Makes a {@link GlobalMaxPooling1D}. */
export const globalMaxPooling1d = /* @__PURE__ */ maker(GlobalMaxPooling1D);
/** Another name of `globalMaxPooling1d`. */
export const globalMaxPool1d = globalMaxPooling1d;
/** Makes a {@link GlobalMaxPooling2D}. */
export const globalMaxPooling2d = /* @__PURE__ */ maker(GlobalMaxPooling2D);
/** Another name of `globalMaxPooling2d`. */
export const globalMaxPool2d = globalMaxPooling2d;

/** Makes a {@link Bidirectional}. */
export const bidirectional = /* @__PURE__ */ maker(Bidirectional);
/** Makes a {@link GRU}. */
export const gru = /* @__PURE__ */ maker(GRU);
/** Makes a {@link GRUCell}. */
export const gruCell = /* @__PURE__ */ maker(GRUCell);
/** Makes a {@link LSTM}. */
export const lstm = /* @__PURE__ */ maker(LSTM);
/** Makes a {@link LSTMCell}. */
export const lstmCell = /* @__PURE__ */ maker(LSTMCell);
/** Makes a {@link RNN}. */
export const rnn = /* @__PURE__ */ maker(RNN);
/** Makes a {@link SimpleRNN}. */
export const simpleRNN = /* @__PURE__ */ maker(SimpleRNN);
/** Makes a {@link SimpleRNNCell}. */
export const simpleRNNCell = /* @__PURE__ */ maker(SimpleRNNCell);
/** Makes a {@link StackedRNNCells}. */
export const stackedRNNCells = /* @__PURE__ */ maker(StackedRNNCells);
/** Makes a {@link TimeDistributed}. */
export const timeDistributed = /* @__PURE__ */ maker(TimeDistributed);
