/**
 * What an optimizer remembers, in files: slots are called after the weights as
 * files call them (`layer/kernel/m`), which outlive the variables' names.
 */
import {dispose} from '../../scope.js';
import type {NamedTensor} from '../../tensor.js';
import type {Optimizer} from '../../train/optimizer.js';
import type {Container} from '../container.js';
import {weightFinder, weightNames} from './weight_names.js';

/** Runs `f` with the optimizer's weights and frees what was made for it. */
export async function withOptimizerWeights<T>(
    model: Container, optimizer: Optimizer,
    f: (weights: NamedTensor[]) => Promise<T>): Promise<T> {
  const fileNames = new Map([...weightNames(model)].map(
      ([weight, name]) => [weight.variable.name, name]));
  const weights = await optimizer.getWeights();
  try {
    return await f(weights.map(({name, tensor}) => ({
      name: renamed(name, (owner) => fileNames.get(owner)), tensor,
    })));
  } finally {
    // The others are the optimizer's own variables.
    dispose(weights.filter(({tensor}) => !('assign' in tensor))
      .map(({tensor}) => tensor));
  }
}

/** Gives the optimizer what a file has. */
export async function setOptimizerWeights(
    model: Container, optimizer: Optimizer,
    weights: NamedTensor[]): Promise<void> {
  const find = weightFinder(model);
  await optimizer.setWeights(weights.map(({name, tensor}) => ({
    name: renamed(name, (owner) => find(owner)?.variable.name), tensor,
  })));
}

function renamed(
    name: string, rename: (owner: string) => string | undefined): string {
  const slash = name.lastIndexOf('/');
  if (slash < 0) return name;
  const owner = name.slice(0, slash);
  return (rename(owner) ?? owner) + name.slice(slash);
}
