/** `tf.keras.layers`: every layer by Keras' names and conventions. */
import * as activation from './families/activation.js';
import {Bidirectional as BidirectionalLayer} from './families/bidirectional.js';
import {SimpleRNNCell as SimpleRNNCellLayer} from './families/cells.js';
import * as conv from './families/conv.js';
import {Conv2DTranspose as Conv2DTransposeLayer} from './families/conv_transpose.js';
import * as core from './families/core.js';
import {DepthwiseConv2D as DepthwiseConv2DLayer} from './families/depthwise.js';
import {Embedding as EmbeddingLayer} from './families/embedding.js';
import * as gated from './families/gated_cells.js';
import {Masking as MaskingLayer} from './families/masking.js';
import * as merge from './families/merge.js';
import * as mergeAxes from './families/merge_axes.js';
import * as noise from './families/noise.js';
import * as normalization from './families/normalization.js';
import * as padding from './families/padding.js';
import * as pooling from './families/pooling.js';
import * as rnn from './families/rnn.js';
import {SeparableConv2D as SeparableConv2DLayer} from './families/separable.js';
import {StackedRNNCells as StackedRNNCellsLayer} from './families/stacked_cells.js';
import {TimeDistributed as TimeDistributedLayer} from './families/time_distributed.js';
import {UpSampling2D as UpSampling2DLayer} from './families/upsampling.js';
import {InputLayer as InputLayerClass, input} from './input.js';
import type {InputConfig} from './input.js';
import {kerasClass, settingsOf} from './keras_class.js';
import type {KerasArgs} from './keras_class.js';
import {Layer as LayerClass} from './layer.js';
import type {LayerArgs} from './layer.js';
import {withNamingStyle} from './naming.js';
import type {SymbolicTensor} from './symbolic.js';

/** The base class: `class Mine extends tf.keras.layers.Layer`. */
export const Layer = /* @__PURE__ */ kerasClass<LayerArgs, LayerClass, []>(LayerClass);
export const InputLayer = /* @__PURE__ */ kerasClass(InputLayerClass, 'inputShape');

/** The start of a functional model, of a shape without the batch. */
export function Input(
    ...args: KerasArgs<InputConfig, ['shape']>): SymbolicTensor {
  return withNamingStyle('keras', () =>
    input(settingsOf(args, ['shape'])));
}

export const Activation = /* @__PURE__ */ kerasClass(core.Activation, 'activation');
export const Dense = /* @__PURE__ */ kerasClass(core.Dense, 'units', 'activation', 'useBias');
export const Embedding = /* @__PURE__ */ kerasClass(EmbeddingLayer, 'inputDim', 'outputDim');
export const Flatten = /* @__PURE__ */ kerasClass(core.Flatten, 'dataFormat');
export const Masking = /* @__PURE__ */ kerasClass(MaskingLayer, 'maskValue');
export const Permute = /* @__PURE__ */ kerasClass(core.Permute, 'dims');
export const RepeatVector = /* @__PURE__ */ kerasClass(core.RepeatVector, 'n');
export const Reshape = /* @__PURE__ */ kerasClass(core.Reshape, 'targetShape');

export const ELU = /* @__PURE__ */ kerasClass(activation.ELU, 'alpha');
export const LeakyReLU = /* @__PURE__ */ kerasClass(activation.LeakyReLU, 'alpha');
export const PReLU = /* @__PURE__ */ kerasClass(activation.PReLU, 'alphaInitializer');
export const ReLU = /* @__PURE__ */ kerasClass(activation.ReLU, 'maxValue');
export const Softmax = /* @__PURE__ */ kerasClass(activation.Softmax, 'axis');
export const ThresholdedReLU = /* @__PURE__ */ kerasClass(activation.ThresholdedReLU, 'theta');

export const Add = /* @__PURE__ */ kerasClass(merge.Add);
export const Average = /* @__PURE__ */ kerasClass(merge.Average);
export const Concatenate = /* @__PURE__ */ kerasClass(mergeAxes.Concatenate, 'axis');
export const Dot = /* @__PURE__ */ kerasClass(mergeAxes.Dot, 'axes', 'normalize');
export const Maximum = /* @__PURE__ */ kerasClass(merge.Maximum);
export const Minimum = /* @__PURE__ */ kerasClass(merge.Minimum);
export const Multiply = /* @__PURE__ */ kerasClass(merge.Multiply);
export const Subtract = /* @__PURE__ */ kerasClass(merge.Subtract);

export const BatchNormalization = /* @__PURE__ */ kerasClass(
    normalization.BatchNormalization, 'axis', 'momentum', 'epsilon');
export const LayerNormalization = /* @__PURE__ */ kerasClass(
    normalization.LayerNormalization, 'axis', 'epsilon');

export const AlphaDropout = /* @__PURE__ */ kerasClass(noise.AlphaDropout, 'rate');
export const Dropout = /* @__PURE__ */ kerasClass(noise.Dropout, 'rate', 'noiseShape', 'seed');
export const GaussianDropout = /* @__PURE__ */ kerasClass(noise.GaussianDropout, 'rate');
export const GaussianNoise = /* @__PURE__ */ kerasClass(noise.GaussianNoise, 'stddev');
export const SpatialDropout1D = /* @__PURE__ */ kerasClass(noise.SpatialDropout1D, 'rate');

export const Conv1D = /* @__PURE__ */ kerasClass(
    conv.Conv1D, 'filters', 'kernelSize', 'strides', 'padding');
export const Conv2D = /* @__PURE__ */ kerasClass(
    conv.Conv2D, 'filters', 'kernelSize', 'strides', 'padding');
export const Conv2DTranspose = /* @__PURE__ */ kerasClass(
    Conv2DTransposeLayer, 'filters', 'kernelSize', 'strides', 'padding');
export const DepthwiseConv2D = /* @__PURE__ */ kerasClass(
    DepthwiseConv2DLayer, 'kernelSize', 'strides', 'padding',
    'depthMultiplier');
export const SeparableConv2D = /* @__PURE__ */ kerasClass(
    SeparableConv2DLayer, 'filters', 'kernelSize', 'strides', 'padding');
export const Cropping2D = /* @__PURE__ */ kerasClass(padding.Cropping2D, 'cropping');
export const UpSampling2D = /* @__PURE__ */ kerasClass(UpSampling2DLayer, 'size');
export const ZeroPadding2D = /* @__PURE__ */ kerasClass(padding.ZeroPadding2D, 'padding');

export const AveragePooling1D = /* @__PURE__ */ kerasClass(
    pooling.AveragePooling1D, 'poolSize', 'strides', 'padding');
export const AvgPool1D = AveragePooling1D;
export const AveragePooling2D = /* @__PURE__ */ kerasClass(
    pooling.AveragePooling2D, 'poolSize', 'strides', 'padding');
export const AvgPool2D = AveragePooling2D;
export const MaxPooling1D = /* @__PURE__ */ kerasClass(
    pooling.MaxPooling1D, 'poolSize', 'strides', 'padding');
export const MaxPool1D = MaxPooling1D;
export const MaxPooling2D = /* @__PURE__ */ kerasClass(
    pooling.MaxPooling2D, 'poolSize', 'strides', 'padding');
export const MaxPool2D = MaxPooling2D;
export const GlobalAveragePooling1D = /* @__PURE__ */ kerasClass(
    pooling.GlobalAveragePooling1D);
export const GlobalAvgPool1D = GlobalAveragePooling1D;
export const GlobalAveragePooling2D = /* @__PURE__ */ kerasClass(
    pooling.GlobalAveragePooling2D);
export const GlobalAvgPool2D = GlobalAveragePooling2D;
export const GlobalMaxPooling1D = /* @__PURE__ */ kerasClass(pooling.GlobalMaxPooling1D);
export const GlobalMaxPool1D = GlobalMaxPooling1D;
export const GlobalMaxPooling2D = /* @__PURE__ */ kerasClass(pooling.GlobalMaxPooling2D);
export const GlobalMaxPool2D = GlobalMaxPooling2D;

export const Bidirectional = /* @__PURE__ */ kerasClass(
    BidirectionalLayer, 'layer', 'mergeMode');
export const GRU = /* @__PURE__ */ kerasClass(rnn.GRU, 'units', 'activation');
export const GRUCell = /* @__PURE__ */ kerasClass(gated.GRUCell, 'units', 'activation');
export const LSTM = /* @__PURE__ */ kerasClass(rnn.LSTM, 'units', 'activation');
export const LSTMCell = /* @__PURE__ */ kerasClass(gated.LSTMCell, 'units', 'activation');
export const RNN = /* @__PURE__ */ kerasClass(rnn.RNN, 'cell');
export const SimpleRNN = /* @__PURE__ */ kerasClass(rnn.SimpleRNN, 'units', 'activation');
export const SimpleRNNCell = /* @__PURE__ */ kerasClass(
    SimpleRNNCellLayer, 'units', 'activation');
export const StackedRNNCells = /* @__PURE__ */ kerasClass(StackedRNNCellsLayer, 'cells');
export const TimeDistributed = /* @__PURE__ */ kerasClass(TimeDistributedLayer, 'layer');
