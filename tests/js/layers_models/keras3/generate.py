"""Writes the models of this folder with Keras 3: configs, weights, outputs.

Run by hand, with the version of Keras that a new format comes from:
    KERAS_BACKEND=tensorflow python3 generate.py
"""
import json
import pathlib

import keras
import numpy as np
from keras import layers

HERE = pathlib.Path(__file__).parent


def values(shape, seed):
  """Numbers with few digits, the same every time."""
  n = int(np.prod(shape))
  return (((np.arange(n) * 37 + seed * 11) % 41 - 20) / 32).reshape(
      shape).astype('float32')


def plain(x):
  return np.round(np.asarray(x, 'float64'), 7).ravel().tolist()


def write(name, model, shapes, integers=()):
  for i, w in enumerate(model.weights):
    v = values(w.shape, i)
    w.assign(np.abs(v) + 0.5 if 'variance' in w.path else v)
  inputs = [
      (np.abs(values(s, i)) * 32 % 5).astype('int32')
      if i in integers else values(s, 50 + i) for i, s in enumerate(shapes)
  ]
  outputs = model(inputs if len(inputs) > 1 else inputs[0])
  outputs = outputs if isinstance(outputs, (list, tuple)) else [outputs]
  config = json.loads(model.to_json())
  (HERE / f'{name}.json').write_text(json.dumps({
      'keras_version': keras.__version__,
      'backend': keras.backend.backend(),
      'model_config': config,
      'weights': [{
          'name': w.path, 'shape': list(w.shape), 'values': plain(w)
      } for w in model.weights],
      'inputs': [{
          'shape': list(s), 'dtype': str(x.dtype), 'values': plain(x)
      } for s, x in zip(shapes, inputs)],
      'outputs': [plain(y) for y in outputs],
  }) + '\n')


def sequential():
  return keras.Sequential([
      keras.Input((9, 8, 2)),
      layers.Conv2D(3, 3, strides=2, padding='same', activation='relu',
                    kernel_regularizer=keras.regularizers.L2(0.01),
                    kernel_initializer='he_normal'),
      layers.BatchNormalization(),
      layers.DepthwiseConv2D(2, depth_multiplier=2),
      layers.ReLU(max_value=6),
      layers.SeparableConv2D(4, 2, padding='same'),
      layers.LeakyReLU(negative_slope=0.2),
      layers.MaxPooling2D(2),
      layers.ZeroPadding2D(1),
      layers.UpSampling2D(2),
      layers.Conv2DTranspose(2, 3, strides=2),
      layers.Dropout(0.2),
      layers.GlobalAveragePooling2D(),
      layers.Dense(5, kernel_constraint=keras.constraints.MaxNorm(2)),
      layers.Activation('softmax'),
  ])


def built():
  """No Input: Keras makes one when the model is built."""
  model = keras.Sequential([layers.Dense(3, activation='elu'), layers.Dense(2)])
  model.build((None, 4))
  return model


def functional():
  a, b = keras.Input((4,), name='a'), keras.Input((4,), name='b')
  shared = layers.Dense(3, activation='tanh', name='shared')
  x, y = shared(a), shared(b)
  joined = layers.Concatenate()([x, y])
  added = layers.Add()([x, y])
  inner = keras.Sequential([keras.Input((6,)), layers.Dense(3, name='deep')],
                           name='inner')
  z = layers.Multiply()([inner(joined), added])
  z = layers.LayerNormalization()(z)
  return keras.Model([a, b], [layers.Dense(1, name='head')(z), x])


def recurrent():
  ids = keras.Input((6,), dtype='int32')
  x = layers.Embedding(7, 3, mask_zero=True)(ids)
  x = layers.Bidirectional(layers.LSTM(2, return_sequences=True))(x)
  x = layers.SimpleRNN(3, return_sequences=True)(x)
  x, state = layers.GRU(3, return_state=True)(x)
  x = layers.Dense(2)(x)
  return keras.Model(ids, [x, state])


def state():
  """A recurrent layer that gets its state as a keyword."""
  x, s = keras.Input((3, 2)), keras.Input((2,))
  y = layers.GRU(2)(x, initial_state=s)
  return keras.Model([x, s], y)


if __name__ == '__main__':
  keras.utils.clear_session()
  write('sequential', sequential(), [(2, 9, 8, 2)])
  keras.utils.clear_session()
  write('built', built(), [(2, 4)])
  keras.utils.clear_session()
  write('functional', functional(), [(2, 4), (2, 4)])
  keras.utils.clear_session()
  write('recurrent', recurrent(), [(2, 6)], integers=(0,))
  keras.utils.clear_session()
  write('state', state(), [(2, 3, 2), (2, 2)])
