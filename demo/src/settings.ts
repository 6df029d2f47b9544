export interface TrainOptions {
  /** Passes over the training digits. */
  epochs: number;
  batchSize: number;
  /** Of the first epoch. */
  learningRate: number;
  /** Each epoch learns at this multiple of the rate before. */
  decay: number;
  /** Decides initial weights, order of the digits and what dropout drops. */
  seed: number;
}

export const defaults: TrainOptions = {
  epochs: 5,
  batchSize: 50,
  learningRate: 0.003,
  decay: 0.6,
  seed: 7,
};
