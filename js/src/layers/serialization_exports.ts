/** `tf.serialization`. */
export {
  Serializable, SerializationMap, getRegisteredName, registerClass,
} from './serialization.js';
export type {
  ClassConfig, ConfigDict, SerializableConstructor,
} from './serialization.js';
