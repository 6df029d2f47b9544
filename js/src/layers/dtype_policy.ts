/**
 * Dtype policies by name. Everything computes in float32: mixed policies are
 * known by name only, so that programs and files that set them work.
 */
import {TensorError} from '../errors.js';
import type {DataType} from '../types.js';
import {globalState, settings} from './global_state.js';
import type {DTypePolicy} from './global_state.js';

const computes: Record<string, DataType> = {
  float16: 'float32', bfloat16: 'float32', float32: 'float32',
  float64: 'float32', mixed_float16: 'float32', mixed_bfloat16: 'float32',
  int32: 'int32', int64: 'int32', int16: 'int32', uint8: 'int32',
  int8: 'int32', bool: 'bool',
};

/** The policy of a name. Errors: an unknown one. */
export function policyOf(name: string): DTypePolicy {
  const computeDtype = computes[name];
  if (computeDtype === undefined) {
    throw new TensorError(
        'argument', `dtype policy: unknown name '${name}', known are ` +
            Object.keys(computes).join(', '));
  }
  return {name, computeDtype, variableDtype: computeDtype};
}

/** The policy in force: the one set, else floatx'. */
export function dtypePolicy(): DTypePolicy {
  return globalState().dtypePolicy ?? policyOf(settings.floatx);
}

/** Sets the policy in force, until `clear_session`. */
export function setDtypePolicy(policy: string | DTypePolicy): void {
  globalState().dtypePolicy =
      policyOf(typeof policy === 'string' ? policy : policy.name);
}

/** The dtype a layer was given: a name, or a policy as Keras 3 saves it. */
export function layerDType(dtype: unknown): DataType | undefined {
  if (dtype === undefined || dtype === null) return undefined;
  if (typeof dtype === 'string') return policyOf(dtype).computeDtype;
  const {config, name} = dtype as {config?: {name?: string}, name?: string};
  const given = config?.name ?? name;
  return given === undefined ? 'float32' : policyOf(given).computeDtype;
}
