const least = 1024;

/** A map whose entries can die: it forgets the dead when it has doubled. */
export class SweptMap<K, V> extends Map<K, V> {
  readonly #isDead: (key: K, value: V) => boolean;
  #limit = least;

  /** `isDead` says of an entry that nobody will ask for it any more. */
  constructor(isDead: (key: K, value: V) => boolean) {
    super();
    this.#isDead = isDead;
  }

  override set(key: K, value: V): this {
    // Amortized: as many were added since as are looked at now.
    if (this.size >= this.#limit) {
      for (const [k, v] of this) if (this.#isDead(k, v)) this.delete(k);
      this.#limit = Math.max(least, 2 * this.size);
    }
    return super.set(key, value);
  }
}
