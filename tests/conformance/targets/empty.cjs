'use strict';
// Control: no ops at all. What passes here passes vacuously (bare toThrow()).
const flags = {};
const environment = {
  platformName: 'node',
  set: (name, value) => {
    flags[name] = value;
  },
  get: (name) => flags[name],
  getBool: (name) => Boolean(flags[name]),
  reset() {},
};
module.exports = {
  env: () => environment,
  engine: () => ({}),
  setBackend: async () => true,
  ready: async () => {},
  tensor() {},
  memory: () => ({}),
};
