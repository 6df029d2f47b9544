/** Random programs against a model of who must be alive. */
import { expect, test } from '@jest/globals';
import * as tf from '../../../js/src/index.js';

/** A scope or session of the model: what it owns. */
interface Owner {
  session: Owner;
  tf?: tf.EagerSession;
  owns: Set<tf.Tensor>;
}

class Program {
  #state: number;
  /** Steps the program has left, in all its blocks. */
  #left = 100;
  readonly #all: tf.Tensor[] = [];
  readonly #sessions: Owner[] = [];
  readonly #alive = new Set<tf.Tensor>();

  constructor(seed: number) {
    this.#state = seed;
  }

  #below(n: number): number {
    this.#state = (this.#state * 16807) % 2147483647;
    return this.#state % n;
  }

  #pick<T>(items: Iterable<T>): T | undefined {
    const list = [...items];
    return list[this.#below(Math.max(list.length, 1))];
  }

  #open(strategy: tf.ResourceCleanupStrategy): Owner {
    const session = tf.EagerSession.options().resourceCleanupStrategy(strategy).build();
    const owner = { owns: new Set<tf.Tensor>(), tf: session } as unknown as Owner;
    owner.session = owner;
    this.#sessions.push(owner);
    return owner;
  }

  run(): void {
    const strategies = Object.values(tf.ResourceCleanupStrategy);
    const session = this.#open(strategies[this.#below(3)]!);
    this.#open(strategies[this.#below(3)]!);
    session.tf!.run(() => this.#block(session, 4));
    for (const each of this.#sessions) {
      each.tf!.close();
      this.#free(each);
    }
    this.#compare();
  }

  #free(owner: Owner): void {
    for (const x of owner.owns) this.#alive.delete(x);
    owner.owns.clear();
  }

  #move(x: tf.Tensor, to: Owner): void {
    for (const owner of [...this.#sessions, ...this.#scopes]) owner.owns.delete(x);
    to.owns.add(x);
  }

  readonly #scopes: Owner[] = [];

  /** A block in a scope of the model; what it returns moves out of it. */
  #inside(outer: Owner, depth: number, fails = false): tf.Tensor[] {
    const scope: Owner = { session: outer.session, owns: new Set() };
    this.#scopes.push(scope);
    this.#block(scope, depth - 1);
    this.#scopes.pop();
    const results = fails ? [] : this.#all.filter((x) => this.#alive.has(x) && this.#below(4) === 0);
    for (const x of results) if (scope.owns.delete(x)) outer.owns.add(x);
    this.#free(scope);
    return results;
  }

  #block(owner: Owner, depth: number): void {
    for (let step = 0; step < 12 && this.#left > 0; step++, this.#left--) {
      const x = this.#pick(this.#alive);
      switch (this.#below(depth > 0 ? 12 : 7)) {
        case 0: case 1: case 2: {
          // Now and then enough for the memory to grow.
          const made = x && this.#below(2) ? x.add(1) : tf.ones([this.#below(50) === 0 ? 1 << 20 : 8]);
          this.#all.push(made);
          this.#alive.add(made);
          owner.owns.add(made);
          break;
        }
        case 3:
          if (!x) break;
          x.dispose();
          x.dispose();
          this.#alive.delete(x);
          break;
        case 4:
          if (!x) break;
          tf.keep(x);
          for (const from of this.#scopes) if (from.owns.has(x)) this.#move(x, from.session);
          break;
        case 5: {
          // What a session's root owns has a finalizer, but for one strategy.
          if (!x) break;
          const home = this.#sessions.find((s) => s.owns.has(x));
          owner.session.tf!.simulateCollect(x);
          owner.session.tf!.safePoint();
          if (home && home.tf!.strategy !== 'ON_SESSION_CLOSE') this.#alive.delete(x);
          break;
        }
        case 6: {
          const to = this.#pick(this.#sessions)!;
          if (!x) break;
          to.tf!.adopt(x);
          this.#move(x, to);
          break;
        }
        case 7: case 8: {
          tf.tidy(() => this.#inside(owner, depth));
          break;
        }
        case 9: {
          const s = tf.scope();
          s.close(this.#inside(owner, depth));
          break;
        }
        case 10: {
          const other = this.#pick(this.#sessions)!;
          other.tf!.run(() => this.#block(other, depth - 1));
          break;
        }
        default:
          expect(() => tf.tidy(() => {
            this.#inside(owner, depth, true);
            throw new Error('mine');
          })).toThrow('mine');
      }
      this.#compare();
    }
  }

  #compare(): void {
    for (const x of this.#all) {
      if (x.isDisposed === this.#alive.has(x)) {
        throw new Error(`tensor ${this.#all.indexOf(x)} is ${x.isDisposed ? 'disposed' : 'alive'}`);
      }
    }
  }
}

test('500 random programs free what the model frees', () => {
  // TIDEMARK_SEED=17 runs one of them again.
  const given = Number(process.env['TIDEMARK_SEED'] ?? 0);
  for (let seed = given || 1; seed <= (given || 500); seed++) {
    const before = tf.memory().numTensors;
    try {
      new Program(seed).run();
      expect(tf.memory().numTensors).toBe(before);
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    }
  }
}, 120_000);
