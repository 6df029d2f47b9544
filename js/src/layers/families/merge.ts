/** Layers that make one tensor of several. */
import {TensorError} from '../../errors.js';
import {add, maximum, minimum, mul, sub} from '../../ops/binary.js';
import {addN} from '../../ops/lists.js';
import {logicalOr} from '../../ops/logical.js';
import {expandDims} from '../../ops/shape.js';
import {tidy} from '../../scope.js';
import type {Tensor} from '../../tensor.js';
import {Layer} from '../layer.js';
import type {Kwargs, LayerArgs} from '../layer.js';
import {registerClass} from '../serialization.js';
import {formatShape, shapeList} from '../shape.js';
import type {Shape} from '../shape.js';

/** A mask per input, null where there is none. */
export type Masks = Tensor | (Tensor | null)[] | null | undefined;

/** The masks as a list as long as the inputs. Errors: another number. */
export function maskList(
    who: string, inputs: Tensor | Tensor[],
    mask: Tensor | (Tensor | null)[]): (Tensor | null)[] {
  if (!Array.isArray(inputs) || !Array.isArray(mask) ||
      mask.length !== inputs.length) {
    const count = (x: unknown): string =>
      (Array.isArray(x) ? String(x.length) : 'one that is no list');
    throw new TensorError(
        'argument', `${who}: inputs and masks must be lists of the same ` +
            `length, got inputs ${count(inputs)}, masks ${count(mask)}`);
  }
  return mask;
}

// NumPy's rule, where a dimension that is not known yet stays unknown.
function broadcast(a: Shape, b: Shape): Shape {
  const [long, short] = a.length < b.length ? [b, a] : [a, b];
  const offset = long.length - short.length;
  return long.map((n, i) => {
    if (i < offset) return n;
    const m = short[i - offset]!;
    if (n === null || m === null) return n === 1 || m === 1 ? null : n ?? m;
    if (n !== m && n !== 1 && m !== 1) {
      throw new TensorError(
          'shape', 'Operands could not be broadcast together with shapes ' +
              `${formatShape(a)} ${formatShape(b)}`);
    }
    return n === 1 ? m : n;
  });
}

/**
 * Base of the layers that work element by element. Inputs broadcast; those of
 * lower rank get dimensions of 1 after the batch.
 */
export abstract class Merge extends Layer {
  constructor(args: LayerArgs = {}) {
    super(args);
    this.supportsMasking = true;
  }

  /** The result for inputs of one rank. */
  protected abstract merge(inputs: Tensor[]): Tensor;

  /** The shapes of the inputs. Errors: fewer than two. */
  protected shapes(inputShape: Shape | Shape[]): Shape[] {
    const shapes = shapeList(inputShape);
    if (shapes.length < 2) {
      throw new TensorError(
          'argument', `${this.getClassName()}: A merge layer should be called ` +
              'on an Array of at least 2 inputs. Got 1 input(s).');
    }
    return shapes;
  }

  override build(inputShape: Shape | Shape[]): void {
    this.computeOutputShape(inputShape);
    super.build(inputShape);
  }

  override computeOutputShape(inputShape: Shape | Shape[]): Shape {
    const shapes = this.shapes(inputShape);
    const batches = new Set(
        shapes.map(([batch]) => batch ?? null).filter((n) => n !== null));
    if (batches.size > 1) {
      throw new TensorError(
          'shape', 'Can not merge tensors with different batch sizes. Got ' +
              `tensors with shapes: ${formatShape(shapes)}.`);
    }
    const [batch] = batches;
    return [
      batch ?? null,
      ...shapes.map((shape) => shape.slice(1)).reduce(broadcast),
    ];
  }

  override call(inputs: Tensor | Tensor[], kwargs: Kwargs): Tensor {
    this.invokeCallHook(inputs, kwargs);
    if (!Array.isArray(inputs)) {
      throw new TensorError(
          'argument', `${this.getClassName()}: expected a list of tensors`);
    }
    const rank = Math.max(...inputs.map((x) => x.rank));
    return this.merge(inputs.map((x) => {
      let y = x;
      while (y.rank < rank) y = expandDims(y, 1);
      return y;
    }));
  }

  // As in Keras 3: a step counts where it counts in any input.
  override computeMask(inputs: Tensor | Tensor[], mask?: Masks): Tensor | null {
    if (mask === null || mask === undefined) return null;
    const masks = maskList(this.getClassName(), inputs, mask);
    if (!masks.every((m) => m !== null)) return null;
    return tidy(() => masks.reduce((a, b) => logicalOr(a, b)));
  }
}

const alike = (xs: Tensor[]): boolean => xs.every((x) =>
  x.dtype === xs[0]!.dtype && String(x.shape) === String(xs[0]!.shape));

const total = (xs: Tensor[]): Tensor =>
  (alike(xs) ? addN(xs) : xs.reduce((a, b) => add(a, b)));

/** The sum of the inputs. */
export class Add extends Merge {
  static override readonly className: string = 'Add';

  protected merge(inputs: Tensor[]): Tensor {
    return total(inputs);
  }
}

/** The first input less the second. */
export class Subtract extends Merge {
  static override readonly className: string = 'Subtract';

  protected override shapes(inputShape: Shape | Shape[]): Shape[] {
    const shapes = super.shapes(inputShape);
    if (shapes.length !== 2) {
      throw new TensorError(
          'argument', 'Subtract: expected exactly 2 inputs, got ' +
              String(shapes.length));
    }
    return shapes;
  }

  protected merge([a, b]: Tensor[]): Tensor {
    return sub(a!, b!);
  }
}

/** The product of the inputs. */
export class Multiply extends Merge {
  static override readonly className: string = 'Multiply';

  protected merge(inputs: Tensor[]): Tensor {
    return inputs.reduce((a, b) => mul(a, b));
  }
}

/** The mean of the inputs. */
export class Average extends Merge {
  static override readonly className: string = 'Average';

  protected merge(inputs: Tensor[]): Tensor {
    return mul(total(inputs), 1 / inputs.length);
  }
}

/** The largest of the inputs, element by element. */
export class Maximum extends Merge {
  static override readonly className: string = 'Maximum';

  protected merge(inputs: Tensor[]): Tensor {
    return inputs.reduce((a, b) => maximum(a, b));
  }
}

/** The smallest of the inputs, element by element. */
export class Minimum extends Merge {
  static override readonly className: string = 'Minimum';

  protected merge(inputs: Tensor[]): Tensor {
    return inputs.reduce((a, b) => minimum(a, b));
  }
}

for (const cls of [Add, Subtract, Multiply, Average, Maximum, Minimum]) {
  registerClass(cls);
}
