#!/usr/bin/env python3
"""Imports recorded graphs into TensorFlow, runs them there and goes on training.

    python3 check_graph.py expected.json

The JSON says where the runs are and what must come out. The last line is
"right: all".
"""
import glob
import json
import os
import sys

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import numpy as np
import tensorflow as tf
from google.protobuf import text_format
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.plugins.graph import graph_util

v1 = tf.compat.v1
with open(sys.argv[1]) as f:
    expected = json.load(f)


def check(what, good):
    if not good:
        sys.exit(f'wrong: {what}')
    print(f'right: {what}')


def close(a, b):
    return np.allclose(np.asarray(a, np.float64), np.asarray(b, np.float64), rtol=1e-5, atol=1e-6)


# ---- every op that has a twin means the same there
ops = expected['ops']
with open(ops['graph'], 'rb') as f:
    graph_def = v1.GraphDef.FromString(f.read())
with tf.Graph().as_default() as graph:
    tf.import_graph_def(graph_def, name='')
    shapes = {node.name: node.attr['_output_shapes'].list.shape for node in graph_def.node}
    for op in graph.get_operations():
        for tensor, shape in zip(op.outputs, shapes[op.name]):
            check(f'the shape of {tensor.name}', tensor.shape.is_compatible_with(tf.TensorShape(shape)))
    with v1.Session() as session:
        feeds = {f'{name}:0': value for name, value in ops['feeds'].items()}
        for name, value in ops['results'].items():
            got = session.run(f'ops/{name}:0', feeds)
            check(f'{name} {np.asarray(got).ravel()[:4]} {np.ravel(value)[:4]}',
                  list(got.shape) == list(np.shape(value)) and close(got, value))

# ---- graphs of whole runs, which TensorBoard shows
for run in expected['runs']:
    with open(os.path.join(run['dir'], 'graph.pbtxt')) as f:
        graph_def = text_format.Parse(f.read(), v1.GraphDef())
    events = EventAccumulator(run['dir'])
    events.Reload()
    shown = events.Graph()
    check('TensorBoard has the graph of graph.pbtxt', sorted(n.name for n in shown.node) == sorted(n.name for n in graph_def.node))
    text = graph_util.graph_from_pbtxt if hasattr(graph_util, 'graph_from_pbtxt') else None
    names = {node.name for node in shown.node}
    check('its nodes', set(run['nodes']) <= names and len(names) == len(shown.node))
    check('its edges', all(i.lstrip('^').split(':')[0] in names for node in shown.node for i in node.input))
    merged = graph_util.merge_graph_defs([shown])
    check('it can be merged as TensorBoard does', len(merged.node) == len(shown.node))
    if not run['importable']:
        continue
    with tf.Graph().as_default():
        tf.import_graph_def(graph_def)

# ---- TensorFlow goes on where we stopped, and saves for us to go on
train = expected['train']
with tf.Graph().as_default() as graph:
    saver = v1.train.import_meta_graph(train['prefix'] + '.meta')
    check('the variables', sorted(v.op.name for v in v1.global_variables()) == sorted(train['variables']))
    check('the trainable ones', [v.op.name for v in v1.trainable_variables()] == train['trainable'])
    step = v1.train.get_global_step()
    check('the global step and the train op', step.op.name == 'global_step' and
          [op.name for op in graph.get_collection(v1.GraphKeys.TRAIN_OP)] == ['train'])
    with v1.Session() as session:
        saver.restore(session, train['prefix'])
        values = session.run({v.op.name: v for v in v1.global_variables()})
        check('restore', all(np.array_equal(values[n], np.asarray(v, values[n].dtype)) for n, v in train['variables'].items()))
        loss, _ = session.run(['train/loss:0', 'train'], {f'{name}:0': value for name, value in train['feeds'].items()})
        check(f'the loss {loss} {train["loss"]}', close(loss, train['loss']))
        check('the step counts', session.run(step) == train['variables']['global_step'] + 1)
        values = session.run({v.op.name: v for v in v1.trainable_variables()})
        check('the trained variables', all(close(values[n], v) for n, v in train['after'].items()))
        saver.save(session, train['theirs'], global_step=step, write_meta_graph=False)

# ---- a program of TensorFlow's own with the same names
with tf.Graph().as_default():
    step = v1.train.get_or_create_global_step()
    w = v1.get_variable('w', np.shape(train['variables']['w']), use_resource=True)
    b = v1.get_variable('b', np.shape(train['variables']['b']), use_resource=True)
    x, y = (v1.placeholder(tf.float32, np.shape(train['feeds'][n])) for n in 'xy')
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
    run = v1.train.GradientDescentOptimizer(train['rate']).minimize(loss, global_step=step)
    saver = v1.train.Saver()
    with v1.Session() as session:
        saver.restore(session, train['prefix'])
        session.run(run, {x: train['feeds']['x'], y: train['feeds']['y']})
        values = session.run({v.op.name: v for v in v1.trainable_variables()})
        check('its trained variables', all(close(values[n], v) for n, v in train['after'].items()))
        saver.save(session, train['own'], global_step=step)
print('right: all')
