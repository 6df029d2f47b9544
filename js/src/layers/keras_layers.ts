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
export const Layer = kerasClass<LayerArgs, LayerClass, []>(LayerClass);
export const InputLayer = kerasClass(InputLayerClass, 'inputShape');

/** The start of a functional model, of a shape without the batch. */
export function Input(
    ...args: KerasArgs<InputConfig, ['shape']>): SymbolicTensor {
  return withNamingStyle('keras', () =>
    input(settingsOf(args, ['shape'])));
}

export const Activation = kerasClass(core.Activation, 'activation');
export const Dense = kerasClass(core.Dense, 'units', 'activation', 'useBias');
export const Embedding = kerasClass(EmbeddingLayer, 'inputDim', 'outputDim');
export const Flatten = kerasClass(core.Flatten, 'dataFormat');
export const Masking = kerasClass(MaskingLayer, 'maskValue');
export const Permute = kerasClass(core.Permute, 'dims');
export const RepeatVector = kerasClass(core.RepeatVector, 'n');
export const Reshape = kerasClass(core.Reshape, 'targetShape');

export const ELU = kerasClass(activation.ELU, 'alpha');
export const LeakyReLU = kerasClass(activation.LeakyReLU, 'alpha');
export const PReLU = kerasClass(activation.PReLU, 'alphaInitializer');
export const ReLU = kerasClass(activation.ReLU, 'maxValue');
export const Softmax = kerasClass(activation.Softmax, 'axis');
export const ThresholdedReLU = kerasClass(activation.ThresholdedReLU, 'theta');

export const Add = kerasClass(merge.Add);
export const Average = kerasClass(merge.Average);
export const Concatenate = kerasClass(mergeAxes.Concatenate, 'axis');
export const Dot = kerasClass(mergeAxes.Dot, 'axes', 'normalize');
export const Maximum = kerasClass(merge.Maximum);
export const Minimum = kerasClass(merge.Minimum);
export const Multiply = kerasClass(merge.Multiply);
export const Subtract = kerasClass(merge.Subtract);

export const BatchNormalization = kerasClass(
    normalization.BatchNormalization, 'axis', 'momentum', 'epsilon');
export const LayerNormalization = kerasClass(
    normalization.LayerNormalization, 'axis', 'epsilon');

export const AlphaDropout = kerasClass(noise.AlphaDropout, 'rate');
export const Dropout = kerasClass(noise.Dropout, 'rate', 'noiseShape', 'seed');
export const GaussianDropout = kerasClass(noise.GaussianDropout, 'rate');
export const GaussianNoise = kerasClass(noise.GaussianNoise, 'stddev');
export const SpatialDropout1D = kerasClass(noise.SpatialDropout1D, 'rate');

export const Conv1D = kerasClass(
    conv.Conv1D, 'filters', 'kernelSize', 'strides', 'padding');
export const Conv2D = kerasClass(
    conv.Conv2D, 'filters', 'kernelSize', 'strides', 'padding');
export const Conv2DTranspose = kerasClass(
    Conv2DTransposeLayer, 'filters', 'kernelSize', 'strides', 'padding');
export const DepthwiseConv2D = kerasClass(
    DepthwiseConv2DLayer, 'kernelSize', 'strides', 'padding',
    'depthMultiplier');
export const SeparableConv2D = kerasClass(
    SeparableConv2DLayer, 'filters', 'kernelSize', 'strides', 'padding');
export const Cropping2D = kerasClass(padding.Cropping2D, 'cropping');
export const UpSampling2D = kerasClass(UpSampling2DLayer, 'size');
export const ZeroPadding2D = kerasClass(padding.ZeroPadding2D, 'padding');

export const AveragePooling1D = kerasClass(
    pooling.AveragePooling1D, 'poolSize', 'strides', 'padding');
export const AvgPool1D = AveragePooling1D;
export const AveragePooling2D = kerasClass(
    pooling.AveragePooling2D, 'poolSize', 'strides', 'padding');
export const AvgPool2D = AveragePooling2D;
export const MaxPooling1D = kerasClass(
    pooling.MaxPooling1D, 'poolSize', 'strides', 'padding');
export const MaxPool1D = MaxPooling1D;
export const MaxPooling2D = kerasClass(
    pooling.MaxPooling2D, 'poolSize', 'strides', 'padding');
export const MaxPool2D = MaxPooling2D;
export const GlobalAveragePooling1D = kerasClass(
    pooling.GlobalAveragePooling1D);
export const GlobalAvgPool1D = GlobalAveragePooling1D;
export const GlobalAveragePooling2D = kerasClass(
    pooling.GlobalAveragePooling2D);
export const GlobalAvgPool2D = GlobalAveragePooling2D;
export const GlobalMaxPooling1D = kerasClass(pooling.GlobalMaxPooling1D);
export const GlobalMaxPool1D = GlobalMaxPooling1D;
export const GlobalMaxPooling2D = kerasClass(pooling.GlobalMaxPooling2D);
export const GlobalMaxPool2D = GlobalMaxPooling2D;

export const Bidirectional = kerasClass(
    BidirectionalLayer, 'layer', 'mergeMode');
export const GRU = kerasClass(rnn.GRU, 'units', 'activation');
export const GRUCell = kerasClass(gated.GRUCell, 'units', 'activation');
export const LSTM = kerasClass(rnn.LSTM, 'units', 'activation');
export const LSTMCell = kerasClass(gated.LSTMCell, 'units', 'activation');
export const RNN = kerasClass(rnn.RNN, 'cell');
export const SimpleRNN = kerasClass(rnn.SimpleRNN, 'units', 'activation');
export const SimpleRNNCell = kerasClass(
    SimpleRNNCellLayer, 'units', 'activation');
export const StackedRNNCells = kerasClass(StackedRNNCellsLayer, 'cells');
export const TimeDistributed = kerasClass(TimeDistributedLayer, 'layer');
