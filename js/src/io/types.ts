/** What model files hold, and what reads and writes them. */

/** Bytes of weights: one buffer, or shards in order. */
export type WeightData = ArrayBuffer | ArrayBuffer[];
/** Which weights a file holds: the model's or the optimizer's. */
export type WeightGroup = 'model' | 'optimizer';

/** How the numbers of a weight were made smaller. */
export interface Quantization {
  dtype: 'uint8' | 'uint16' | 'float16';
  /** `value = stored * scale + min`; not for float16. */
  scale?: number;
  min?: number;
}

/** One weight: its name, shape, type and where it belongs. */
export interface WeightsManifestEntry {
  name: string;
  shape: number[];
  dtype: 'float32' | 'int32' | 'bool' | 'string' | 'complex64';
  group?: WeightGroup;
  quantization?: Quantization;
}

/** Weights that lie one after the other in files that follow each other. */
export interface WeightsManifestGroupConfig {
  paths: string[];
  weights: WeightsManifestEntry[];
}
export type WeightsManifestConfig = WeightsManifestGroupConfig[];

/** How a model was compiled, in the file's spelling. */
export interface TrainingConfig {
  optimizer_config: object;
  loss: string | string[] | {[output: string]: string};
  metrics?: string[] | {[output: string]: string};
  weighted_metrics?: string[];
  sample_weight_mode?: string;
  loss_weights?: number[] | {[output: string]: number};
}

interface ModelNotes {
  trainingConfig?: TrainingConfig;
  format?: string;
  generatedBy?: string;
  convertedBy?: string | null;
  signature?: object;
  userDefinedMetadata?: {[key: string]: unknown};
  modelInitializer?: object;
  initializerSignature?: object;
}

/** A model in memory: topology, weights and notes. */
export interface ModelArtifacts extends ModelNotes {
  modelTopology?: object | ArrayBuffer;
  weightSpecs?: WeightsManifestEntry[];
  weightData?: WeightData;
  getWeightStream?: () => ReadableStream<ArrayBuffer>;
}

/** A `model.json` file. */
export interface ModelJSON extends ModelNotes {
  modelTopology: object;
  weightsManifest: WeightsManifestConfig;
}

/** When a model was saved and how large its parts are. */
export interface ModelArtifactsInfo {
  dateSaved: Date;
  modelTopologyType: 'JSON' | 'GraphDef';
  modelTopologyBytes?: number;
  weightSpecsBytes?: number;
  weightDataBytes?: number;
}

/** What saving answers. */
export interface SaveResult {
  modelArtifactsInfo: ModelArtifactsInfo;
  responses?: Response[];
  errors?: (object | string)[];
}

/** What of a model is saved. */
export interface SaveConfig {
  /** Only the trainable weights; default false. */
  trainableOnly?: boolean;
  /** The optimizer's weights too; default false. */
  includeOptimizer?: boolean;
}

export type SaveHandler = (artifacts: ModelArtifacts) => Promise<SaveResult>;
export type LoadHandler = () => Promise<ModelArtifacts>;
/** A place that models are saved to, loaded from, or both. */
export interface IOHandler {
  save?: SaveHandler;
  load?: LoadHandler;
}
/** The same, answering at once. */
export interface IOHandlerSync {
  save?: (artifacts: ModelArtifacts) => SaveResult;
  load?: () => ModelArtifacts;
}

/** How far a load is, in bytes. */
export interface LoadReport {
  /** The file in question, as the model names it. */
  file: string;
  /** Where it comes from. */
  url: string;
  /** Bytes of this file so far. */
  loaded: number;
  /** Bytes of this file, when known. */
  total: number | undefined;
  /** Bytes of all weight files so far. */
  allLoaded: number;
  /** Bytes of all weight files, as the model says. */
  allTotal: number;
  /** True when the file was in the cache. */
  fromCache: boolean;
}

/** Hears how far a load is, from 0 to 1, and the bytes behind the number. */
export type OnProgressCallback = (fraction: number, report: LoadReport) => void;

/** How a model is loaded. */
export interface LoadOptions {
  /** Passed to every request: credentials, headers, a signal. */
  requestInit?: RequestInit;
  onProgress?: OnProgressCallback;
  /** Takes the place of `fetch`. */
  fetchFunc?: (url: string, init?: RequestInit) => Promise<Response>;
  /** Weights that are missing or left over are an error; default true. */
  strict?: boolean;
  /** Where the weight files are, if not beside `model.json`. */
  weightPathPrefix?: string;
  /** Works out the URL of a weight file. */
  weightUrlConverter?: (fileName: string) => Promise<string>;
  /**
   * Keeps downloaded files in the browser's Cache API, under this name or
   * `'tidemark-models'`, and takes them from there. Files are known by URL:
   * give a changed model another URL.
   */
  cache?: boolean | string;
}

/** Lists and removes what a kind of place holds. */
export interface ModelStoreManager {
  listModels(): Promise<{[path: string]: ModelArtifactsInfo}>;
  removeModel(path: string): Promise<ModelArtifactsInfo>;
}
