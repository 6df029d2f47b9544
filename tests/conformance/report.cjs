'use strict';
/** Collects what jasmine tells and prints it. */
const fs = require('node:fs');

// What a WebAssembly trap looks like; a trap is a crash, not a wrong answer. So is a test file that
// does not load, and a rejection nobody waits for.
const TRAP =
  /RuntimeError: |memory access out of bounds|unreachable|null function|table index is out of bounds|Maximum call stack/;

const UNHANDLED = 'unhandled rejection';

const fileOf = (fullName) => /^\[(.*?)\]/.exec(fullName)[1];

class Report {
  perFile = {};
  loadErrors = [];
  failures = [];
  specs = [];
  counts = { passed: 0, failed: 0, pending: 0, excluded: 0, crashes: 0 };
  #started = Date.now();

  addFile(name, kind) {
    this.perFile[name] = { cls: kind, passed: 0, failed: 0, other: 0 };
  }

  /** A failure outside any spec. */
  addFailure(file, spec, message) {
    this.failures.push({ file, spec, msg: String(message).slice(0, 400) });
    const isCrash = TRAP.test(message) || spec === UNHANDLED || spec.endsWith(' loads');
    if (isCrash) this.counts.crashes++;
  }

  specDone({ status, fullName, failedExpectations }) {
    const file = fileOf(fullName);
    this.specs.push([status, fullName]);
    const known = ['passed', 'failed', 'excluded'].includes(status);
    this.counts[known ? status : 'pending']++;
    this.perFile[file][status === 'passed' || status === 'failed' ? status : 'other']++;
    if (status === 'failed') {
      const messages = failedExpectations.map(({ message }) => message);
      this.addFailure(file, fullName, messages.join(' | '));
    }
  }

  suiteDone({ fullName, failedExpectations }) {
    for (const { message } of failedExpectations) {
      this.addFailure(fullName, 'afterAll/beforeAll', message);
    }
  }

  get seconds() {
    return (Date.now() - this.#started) / 1000;
  }

  /** Lines for a person. */
  lines(options, state, loader, missing, leftOut) {
    const { passed, failed, pending, excluded } = this.counts;
    const lines = [
      `target ${options.target}  backend ${options.backend}  ` + `classes ${options.classes}`,
      `files ${Object.keys(this.perFile).length}  ` +
        `specs run ${passed + failed}  passed ${passed}  failed ${failed}  ` +
        `pending ${pending}  excluded ${excluded}  ` +
        `time ${this.seconds.toFixed(1)} s`,
      `files left out by class ${JSON.stringify(leftOut)}  ` +
        `describes not applicable here ${state.notApplicable}`,
    ];
    if (this.loadErrors.length) {
      lines.push(`load errors ${JSON.stringify(this.loadErrors)}`);
    }
    if (!options.stock) {
      const files = loader.helpersLoaded.join(' ');
      lines.push(`TensorFlow.js files loaded besides the tests: ${files}`);
    }
    if (missing.size) {
      lines.push('names tests asked for and the target lacks:');
      for (const [name, files] of missing) {
        lines.push(`  ${name} (${[...files].slice(0, 3).join(', ')})`);
      }
    }
    if (failed) lines.push(...this.#failureLines());
    if (options.leaks) lines.push(...leakLines(state.leaks));
    if (options.verbose) {
      for (const { spec, msg } of this.failures) {
        lines.push(`- ${spec}`, `    ${msg}`);
      }
    }
    return lines;
  }

  /** The same as data, for other programs. */
  write(file, options, state, missing, extra) {
    const { failures, specs, perFile, counts, seconds } = this;
    const names = [...missing].map(([name, files]) => [name, [...files]]);
    const content = {
      opt: options,
      ...counts,
      ...extra,
      secs: seconds,
      perFile,
      failures,
      specs,
      leakLog: state.leaks,
      missing: names,
    };
    fs.writeFileSync(file, JSON.stringify(content, null, 1));
  }

  #failureLines() {
    const files = Object.entries(this.perFile)
      .filter(([, { failed }]) => failed)
      .map(([name, f]) => `${name} ${f.failed}/${f.failed + f.passed}`);
    const reasons = {};
    for (const { msg } of this.failures) {
      const reason = msg
        .replace(/\d+(\.\d+)?(e[-+]?\d+)?/g, 'N')
        .replace(/(Actual|Expected): .*/s, '')
        .slice(0, 90)
        .replace(/\n/g, ' ');
      reasons[reason] = (reasons[reason] || 0) + 1;
    }
    const top = Object.entries(reasons).sort((a, b) => b[1] - a[1]);
    return [
      `failed files: ${files.join('; ')}`,
      'top reasons:',
      ...top.slice(0, 25).map(([reason, count]) => `  ${count}  ${reason}`),
    ];
  }
}

function leakLines(leaks) {
  return [
    `specs that left tensors behind after their scope: ${leaks.length}`,
    ...leaks.slice(0, 40).map(([spec, count]) => `  ${count} ${spec}`),
  ];
}

module.exports = { Report, UNHANDLED, fileOf };
