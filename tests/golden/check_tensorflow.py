#!/usr/bin/env python3
"""Reads a run directory of ours with TensorFlow and TensorBoard, and writes a
checkpoint for ours to read (needs tensorflow and tensorboard).

    python3 check_tensorflow.py <folder>

The folder holds expected.json beside the files; theirs.ckpt and theirs.json are
written there. Prints one line per check; the first that fails ends it.
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

folder = sys.argv[1]
v1 = tf.compat.v1
with open(os.path.join(folder, 'expected.json')) as f:
    expected = json.load(f)


def check(what, good):
    if not good:
        sys.exit(f'wrong: {what}')
    print(f'right: {what}')


def raw(value):
    if isinstance(value, bytes):
        return value.hex()
    value = np.asarray(value)
    if value.dtype == object:
        return [s.hex() for s in value.ravel()]
    return value.tobytes().hex()


# ---- the checkpoint
prefix = tf.train.latest_checkpoint(folder)
check('the state file names the checkpoint', prefix == os.path.join(folder, expected['checkpoint']))
reader = tf.train.load_checkpoint(prefix)
check('list_variables', sorted(n for n, _ in tf.train.list_variables(prefix)) == sorted(expected['tensors']))
for name, t in expected['tensors'].items():
    value = reader.get_tensor(name)
    got = [raw(value)] if isinstance(value, bytes) else raw(value)
    check(f'{name} bit-equal', got == t['hex'] and reader.get_variable_to_dtype_map()[name].name == t['dtype']
          and reader.get_variable_to_shape_map()[name] == t['shape'])
big = tf.train.load_checkpoint(os.path.join(folder, expected['big']['checkpoint']))
check('many variables in an index of several blocks', os.path.getsize(
    os.path.join(folder, expected['big']['checkpoint'] + '.index')) > 300000 and all(
        big.get_tensor(expected['big']['name'] % i) == i for i in range(expected['big']['count'])))

# ---- the events
events = glob.glob(os.path.join(folder, 'events*'))
check('one event file', len(events) == 1)
steps = [(e.step, e.WhichOneof('what')) for e in v1.train.summary_iterator(events[0])]
check('summary_iterator', steps == [tuple(x) for x in expected['events']])
accumulator = EventAccumulator(folder, size_guidance={'tensors': 0, 'images': 0, 'histograms': 0, 'scalars': 0})
accumulator.Reload()
tags = accumulator.Tags()
check('scalars of EventAccumulator', [(e.step, e.value) for e in accumulator.Scalars('loss')] ==
      [tuple(x) for x in expected['loss']])
histogram = accumulator.Histograms('w')[0].histogram_value
check('histograms', [histogram.min, histogram.max, histogram.num, histogram.sum, histogram.sum_squares] ==
      expected['histogram']['numbers'] and list(histogram.bucket_limit) == expected['histogram']['limits']
      and list(histogram.bucket) == expected['histogram']['counts'])
image = accumulator.Images('i/image/0')[0]
check('images', (image.width, image.height) == (5, 3) and tf.io.decode_png(image.encoded_image_string).numpy().ravel().tolist()
      == expected['pixels'])
tensor = accumulator.Tensors('acc')[0].tensor_proto
check('the tensor form of scalars', tf.make_ndarray(tensor) == np.float32(0.25) and
      accumulator.SummaryMetadata('acc').plugin_data.plugin_name == 'scalars')
check('the graph', tags['graph'] and len(accumulator.Graph().node) == expected['nodes'])
check('the meta graph', tags['meta_graph'] and accumulator.MetaGraph().graph_def == accumulator.Graph())
check('session logs', [[e.session_log.status, e.session_log.checkpoint_path] for e in
                       v1.train.summary_iterator(events[0]) if e.HasField('session_log')] == expected['logs'])

# TensorFlow's own histogram and image of the same values.
with tf.Graph().as_default(), v1.Session() as session:
    w = tf.constant(np.frombuffer(bytes.fromhex(expected['tensors']['dense/kernel']['hex']), np.float32))
    ours = v1.Summary.FromString(bytes.fromhex(expected['summary']))
    theirs = v1.Summary.FromString(session.run(v1.summary.histogram('w', w)))
    check('TensorFlow makes the same histogram', theirs.value[0].histo == ours.value[0].histo)
for floats in expected['floats']:
    x = np.array([np.nan if v is None else v for v in floats['values']], np.float32).reshape(floats['shape'])
    # A graph each: a second summary of one name gets another tag.
    with tf.Graph().as_default(), v1.Session() as session:
        theirs = v1.Summary.FromString(session.run(v1.summary.image('i', x))).value
        ours = v1.Summary.FromString(bytes.fromhex(floats['summary'])).value
        pixels = [[session.run(tf.io.decode_png(v.image.encoded_image_string)) for v in images]
                  for images in (theirs, ours)]
    check(f'TensorFlow makes the same images of {floats["shape"]}', [v.tag for v in theirs] == [v.tag for v in ours]
          and all((a == b).all() for a, b in zip(*pixels)))

# ---- the graph
with open(os.path.join(folder, 'graph.pbtxt')) as f:
    graph_def = text_format.Parse(f.read(), v1.GraphDef())
with tf.Graph().as_default() as graph:
    saver = v1.train.import_meta_graph(prefix + '.meta')
    check('graph.pbtxt parses to the graph of .meta', sorted(n.name for n in graph_def.node) ==
          sorted(n.name for n in graph.as_graph_def().node if not n.name.startswith('save')))
    check('the collections', [v.op.name for v in v1.trainable_variables()] == ['dense/kernel', 'dense/bias']
          and v1.train.get_global_step().op.name == 'global_step')
    with v1.Session() as session:
        saver.restore(session, prefix)
        values = session.run({v.op.name: v for v in v1.global_variables()})
        check('import_meta_graph and restore', all(raw(v) == expected['tensors'][n]['hex'] for n, v in values.items()))
with tf.Graph().as_default():
    tf.import_graph_def(graph_def)
    check('import_graph_def', True)

# ---- and back
rng = np.random.default_rng(1)
theirs = {f'layer_{i:03d}/{"weights" * 30}': tf.cast(tf.constant(9 * rng.standard_normal((i % 3, 5))), d)
          for i, d in enumerate([tf.float32, tf.float64, tf.float16, tf.bfloat16, tf.int32, tf.int64] * 300)}
theirs['text'] = tf.constant(['a', 'é' * 100])
names = list(theirs)
tf.raw_ops.SaveV2(prefix=os.path.join(folder, 'theirs.ckpt'), tensor_names=names, shape_and_slices=[''] * len(names),
                  tensors=list(theirs.values()))
with open(os.path.join(folder, 'theirs.json'), 'w') as f:
    json.dump({n: {'dtype': t.dtype.name, 'shape': t.shape.as_list(), 'hex': raw(t.numpy())} for n, t in theirs.items()}, f)
print('right: all')
