// Where a tensor was made and where it was disposed, in a file that is served
// as it is: the test looks for the marked lines in it.

/** Everything a program can do with a tensor, as functions of it. */
const uses = {
  method: (tf, x) => x.square(),
  functional: (tf, x) => tf.square(x),
  list: (tf, x) => tf.concat([x, x]),
  'several results': (tf, x) => tf.split(x, 2),
  gradient: (tf, x) => tf.grad((y) => y.square().sum())(x),
  'inside a gradient': (tf, x) => tf.tidy(() => tf.grad((y) => y.mul(x).sum())(tf.ones([2]))),
  optimizer: (tf, x) => tf.tidy(() => {
    const v = tf.variable(tf.ones([2]));
    try {
      tf.train.sgd(1).minimize(() => v.mul(x).sum());
    } finally {
      v.dispose();
    }
  }),
  assign: (tf, x) => tf.tidy(() => {
    const v = tf.variable(tf.ones([2]));
    try {
      v.assign(x);
    } finally {
      v.dispose();
    }
  }),
  keep: (tf, x) => tf.keep(x),
  dataSync: (tf, x) => x.dataSync(),
  data: (tf, x) => x.data(),
  array: (tf, x) => x.array(),
  bytes: (tf, x) => x.bytes(),
  print: (tf, x) => x.toString(),
};

function make(tf) {
  // Not `return tf.…`: that is a tail call, which WebKit's stacks do not show.
  const x = tf.tensor1d([1, 2]); // made: plainly
  return x;
}

const ends = {
  plainly(tf) {
    const x = make(tf);
    x.dispose(); // disposed: plainly
    return x;
  },
  container(tf) {
    const x = tf.ones([2]); // made: container
    tf.dispose({ a: [x] }); // disposed: container
    return x;
  },
  tidy(tf) {
    let x;
    tf.tidy(() => { // disposed: tidy
      x = tf.ones([2]).add(1); // made: tidy
    });
    return x;
  },
  close(tf) {
    const session = tf.EagerSession.create();
    let x;
    session.run(() => {
      x = tf.ones([2]); // made: close
    });
    session.close(); // disposed: close
    return x;
  },
};

async function messageOf(act) {
  try {
    await act();
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
  return 'nothing was thrown';
}

/** What each use says of a disposed tensor, while nobody traces. */
export async function untraced(tf) {
  const found = {};
  for (const [name, use] of Object.entries(uses)) {
    found[name] = await messageOf(() => use(tf, ends.plainly(tf)));
  }
  return found;
}

/** The same while tracing, by use and by way of ending. */
export async function traced(tf) {
  tf.memory.trace({ stacks: true });
  const found = {};
  for (const [end, make] of Object.entries(ends)) {
    for (const [name, use] of Object.entries(end === 'plainly' ? uses : { method: uses.method, data: uses.data })) {
      found[`${end}, ${name}`] = await messageOf(() => use(tf, make(tf)));
    }
  }
  tf.memory.trace({ stacks: false });
  return found;
}

/** Both in a page. */
export async function inPage() {
  const { load } = await import('./common.js');
  const tf = await load();
  const before = tf.memory().numTensors;
  const found = { untraced: await untraced(tf), traced: await traced(tf) };
  return { ...found, left: tf.memory().numTensors - before };
}
