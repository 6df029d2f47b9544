// The glue that emcc writes for the variant `simd`.
export { default } from './contract.js';
