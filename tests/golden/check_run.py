#!/usr/bin/env python3
"""Reads the directory of a run with TensorBoard and TensorFlow.

    python3 check_run.py expected.json

The JSON says where the run is and what must be found in it. The last line is
"right: all".
"""
import json
import os
import sys

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow as tf
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

with open(sys.argv[1]) as f:
    expected = json.load(f)
folder = expected['dir']


def check(what, good):
    if not good:
        sys.exit(f'wrong: {what}')
    print(f'right: {what}')


# ---- TensorBoard
events = EventAccumulator(folder, size_guidance={'histograms': 0, 'images': 0, 'scalars': 0})
events.Reload()
tags = events.Tags()
check('the tags', sorted(tags['scalars']) == ['global_step/sec', 'loss'] and tags['histograms'] == ['kernel']
      and tags['images'] == ['noise/image'] and tags['graph'])
check('the losses', [[e.step, e.value] for e in events.Scalars('loss')] ==
      [[step, float(np.float32(loss))] for step, loss in expected['loss']])
check('the steps a second', all(e.value > 0 for e in events.Scalars('global_step/sec')))
check('the histograms', [h.histogram_value.num for h in events.Histograms('kernel')] == [6] * len(expected['loss']))
image = events.Images('noise/image')[0]
pixels = tf.io.decode_png(image.encoded_image_string).numpy()
check('the images', pixels.shape == (4, 5, 3) and (pixels == 255).all())
names = {node.name for node in events.Graph().node}
check('the graph', {'train', *expected['variables']} <= names)
check('its inputs are its nodes', all(
    i.lstrip('^').split(':')[0] in names for node in events.Graph().node for i in node.input))

# ---- the checkpoints
state = tf.train.get_checkpoint_state(folder)
check('the list of checkpoints', [p.split('-')[-1] for p in state.all_model_checkpoint_paths] ==
      [str(step) for step in expected['steps']])
reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder))
check('the global step', reader.get_tensor('global_step') == expected['steps'][-1])
for name, values in expected['variables'].items():
    check(f'{name} bit-equal', reader.get_tensor(name).ravel().tolist() == values)
    check(f'the slots of {name}', all(np.abs(reader.get_tensor(f'{name}/{slot}')).max() > 0 for slot in ('Adam', 'Adam_1')))
print('right: all')
