'use strict';
// Control: dies in the middle of the run, as a broken heap would.
const empty = require('./empty.cjs');
module.exports = {
  ...empty,
  scalar() {
    process.kill(process.pid, 'SIGSEGV');
  },
};
