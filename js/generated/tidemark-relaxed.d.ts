// The glue that emcc writes for the variant `relaxed`.
export { default } from './contract.js';
