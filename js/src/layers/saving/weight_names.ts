/**
 * What files call a model's weights, and which weight a name in a file means.
 *
 * A weight is called `layer/kernel`. Keras puts the names of models before it
 * (`sequential/layer/kernel`) and that of a recurrent layer's cell into it
 * (`lstm/lstm_cell/kernel`); older files end in `:0`.
 */
import {Container} from '../container.js';
import type {Layer} from '../layer.js';
import type {LayerVariable} from '../weight.js';

interface Place {
  readonly weight: LayerVariable;
  readonly layer: Layer;
  /** The name with those of the models it is in. */
  readonly path: string;
}

function placesIn(model: Container): Place[] {
  const found = new Map<LayerVariable, Place>();
  const walk = (layer: Layer, path: string): void => {
    if (layer instanceof Container) {
      for (const inner of layer.layers) walk(inner, `${path}${layer.name}/`);
    }
    for (const weight of layer.weights) {
      if (!found.has(weight)) {
        found.set(weight, {weight, layer, path: path + weight.originalName});
      }
    }
  };
  walk(model, '');
  return [...found.values()];
}

/** The name of every weight in a file: short where that is unique. */
export function weightNames(model: Container): Map<LayerVariable, string> {
  const places = placesIn(model);
  const uses = new Map<string, number>();
  for (const {weight: {originalName}} of places) {
    uses.set(originalName, (uses.get(originalName) ?? 0) + 1);
  }
  return new Map(places.map(({weight, path}) =>
    [weight, uses.get(weight.originalName) === 1 ? weight.originalName : path]));
}

// What Keras 3 calls a weight otherwise than Keras 2 and TensorFlow.js.
function inKeras3({layer, path}: Place): string {
  const name = layer.getClassName() === 'DepthwiseConv2D' ?
    path.replace(/\/depthwise_kernel$/, '/kernel') : path;
  // Its configs have the two directions' names, not the layer's.
  return name.replace(
      /(^|\/)(forward|backward)_(?:forward|backward)_/g, '$1$2_');
}

/** Finds the weight that a name in a file means; undefined when none does. */
export function weightFinder(
    model: Container): (name: string) => LayerVariable | undefined {
  // Null marks names that several weights answer to.
  const known = new Map<string, LayerVariable | null>();
  const add = (name: string, weight: LayerVariable): void => {
    const other = known.get(name);
    known.set(name, other === undefined || other === weight ? weight : null);
  };
  for (const place of placesIn(model)) {
    const own = place.weight.originalName.split('/').length;
    for (const path of [place.path, inKeras3(place)]) {
      const parts = path.split('/');
      // With all, some or none of the models' names before it.
      for (let i = 0; i <= parts.length - own; i++) {
        add(parts.slice(i).join('/'), place.weight);
      }
    }
  }
  return (name) => {
    const parts = name.replace(/:\d+$/, '').split('/');
    for (let i = 0; i < Math.max(1, parts.length - 1); i++) {
      const rest = parts.slice(i);
      const whole = known.get(rest.join('/'));
      if (whole) return whole;
      // Without the name of the cell.
      const cellless = known.get([...rest.slice(0, -2), ...rest.slice(-1)].join('/'));
      if (rest.length > 2 && cellless) return cellless;
    }
    return undefined;
  };
}
