export interface TrainOptions {
  /** Passes over the training digits. */
  epochs: number;
  batchSize: number;
  learningRate: number;
  /** Decides initial weights, order of the digits and what dropout drops. */
  seed: number;
}

export const defaults: TrainOptions = {
  epochs: 5,
  batchSize: 50,
  learningRate: 0.002,
  seed: 7,
};
