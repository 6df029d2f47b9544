/**
 * Every class that a model file may name. Modules register their classes when
 * they are loaded, but bundlers drop modules that nobody uses.
 */
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
import {Functional, LayersModel} from './model.js';
import {Sequential} from './sequential.js';
import {registerBuiltIn} from './serialization.js';
import type {SerializableConstructor} from './serialization.js';

const classes: readonly SerializableConstructor[] = [
  InputLayer, Activation, Dense, Flatten, Permute, RepeatVector, Reshape,
  Embedding, Masking, ELU, LeakyReLU, PReLU, ReLU, Softmax, ThresholdedReLU,
  Add, Average, Concatenate, Dot, Maximum, Minimum, Multiply, Subtract,
  BatchNormalization, LayerNormalization, AlphaDropout, Dropout,
  GaussianDropout, GaussianNoise, SpatialDropout1D, Conv1D, Conv2D,
  Conv2DTranspose, DepthwiseConv2D, SeparableConv2D, Cropping2D,
  ZeroPadding2D, UpSampling2D, AveragePooling1D, AveragePooling2D,
  MaxPooling1D, MaxPooling2D, GlobalAveragePooling1D, GlobalAveragePooling2D,
  GlobalMaxPooling1D, GlobalMaxPooling2D, Bidirectional, GRU, GRUCell, LSTM,
  LSTMCell, RNN, SimpleRNN, SimpleRNNCell, StackedRNNCells, TimeDistributed,
  Functional, LayersModel, Sequential,
];

/** Makes every layer of the library known by its name. */
export function registerLayers(): void {
  for (const cls of classes) registerBuiltIn(cls);
}
