/** `tf.models`. */
export {modelFromJSON} from './model_from_json.js';
