// The glue that emcc writes; it is the same for every variant.
export { default } from './contract.js';
