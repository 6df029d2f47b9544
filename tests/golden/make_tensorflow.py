#!/usr/bin/env python3
"""Files that TensorFlow itself writes, for the readers (needs tensorflow).

    python3 make_tensorflow.py [folder]

Made with TensorFlow 2.16.2. Event files hold the time and cannot be made twice.
"""
import glob
import json
import os
import shutil
import sys
import tempfile

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow as tf

out = os.path.abspath(os.path.join(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(__file__), 'tensorflow'))
os.makedirs(out, exist_ok=True)

# ---- a bundle with every type, with empty tensors and scalars
tensors = {
    'bfloat16': tf.constant([1.5, -2, float('inf')], tf.bfloat16),
    'bool': tf.constant([[True, False], [False, True]]),
    'complex64': tf.constant([1 + 2j, -0.5j], tf.complex64),
    'complex128': tf.constant(3 - 4j, tf.complex128),
    'empty': tf.zeros([0, 4]),
    'float16': tf.constant([0.5, 65504, float('nan')], tf.float16),
    'float32': tf.constant([[1, 2, 3], [4, 5, 6]], tf.float32),
    'float64': tf.constant([1 / 3, -1e300], tf.float64),
    'int16': tf.constant([-300, 300], tf.int16),
    'int32': tf.constant(-5, tf.int32),
    'int64': tf.constant([2**53 + 1, -1], tf.int64),
    'int8': tf.constant([-128, 127], tf.int8),
    'no_strings': tf.zeros([0], tf.string),
    'scalar': tf.constant(7.0),
    'string': tf.constant([['', 'é\0'], ['x' * 200, 'hi']]),
    'uint16': tf.constant([65535], tf.uint16),
    'uint32': tf.constant([2**32 - 1], tf.uint32),
    'uint64': tf.constant([2**64 - 1], tf.uint64),
    'uint8': tf.constant([200], tf.uint8),
    'Ünïcode/𝒳': tf.constant([1.0]),
    'Ünïcode/～': tf.constant([2.0]),
}
names = list(tensors)
tf.raw_ops.SaveV2(prefix=os.path.join(out, 'types.ckpt'), tensor_names=names,
                  shape_and_slices=[''] * len(names), tensors=list(tensors.values()))


def described(t):
    if t.dtype == tf.string:
        return {'dtype': 'string', 'shape': t.shape.as_list(), 'hex': [s.hex() for s in t.numpy().ravel()]}
    return {'dtype': t.dtype.name, 'shape': t.shape.as_list(), 'hex': t.numpy().tobytes().hex()}


with open(os.path.join(out, 'types.json'), 'w') as f:
    json.dump({name: described(t) for name, t in tensors.items()}, f, indent=1, sort_keys=True)
    f.write('\n')

# ---- a variable in two parts
tf.raw_ops.SaveV2(prefix=os.path.join(out, 'parts.ckpt'), tensor_names=['w', 'w', 'whole'],
                  shape_and_slices=['4 2 0,2:0,2', '4 2 2,2:0,2', ''],
                  tensors=[tf.ones([2, 2]), tf.zeros([2, 2]), tf.constant([3.0])])

# ---- a run of a MonitoredTrainingSession
v1 = tf.compat.v1
run = 'run'  # relative, so that the files don't say where they were made
with tempfile.TemporaryDirectory() as folder, tf.Graph().as_default():
    os.chdir(folder)
    step = v1.train.get_or_create_global_step()
    w = v1.get_variable('w', [2], initializer=v1.zeros_initializer(), use_resource=True)
    loss = tf.reduce_sum((w - [1.0, 2.0])**2, name='loss')
    train = v1.train.GradientDescentOptimizer(0.25).minimize(loss, global_step=step)
    v1.summary.scalar('loss', loss)
    v1.summary.histogram('w', w)
    v1.summary.image('pixels', tf.reshape(tf.concat([w, w], 0), [1, 2, 2, 1]))
    with v1.train.MonitoredTrainingSession(checkpoint_dir=run, save_checkpoint_steps=2, save_summaries_steps=2,
                                           log_step_count_steps=2) as session:
        for _ in range(5):
            session.run(train)
    v1.summary.FileWriterCache.clear()  # the last session log is still in the queue
    events, = glob.glob(os.path.join(run, 'events*'))
    shutil.copy(events, os.path.join(out, 'events.out.tfevents.1700000000.run'))
    for name in ('model.ckpt-5.index', 'model.ckpt-5.data-00000-of-00001', 'checkpoint'):
        shutil.copy(os.path.join(run, name), os.path.join(out, name))

# ---- the state file of a CheckpointManager
with tempfile.TemporaryDirectory() as folder:
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(x=tf.Variable(1.0)), folder, max_to_keep=2)
    for _ in range(3):
        manager.save()
    shutil.copy(os.path.join(folder, 'checkpoint'), os.path.join(out, 'checkpoint.manager'))
