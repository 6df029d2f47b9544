/** What users see of training sessions: `tf.train`, `tf.summary`, `tf.compat`. */
import {train as optimizers} from '../train.js';
import {jobConfig} from '../jobs/config.js';
import {startJob} from '../jobs/job.js';
import {countExamples} from '../step_watch.js';
import {Coordinator} from './coordinator.js';
import {ChiefSessionCreator, WorkerSessionCreator} from './creators.js';
import * as errors from './errors.js';
import {
  MonitoredTrainingSession, withMonitoredTrainingSession,
} from './factory.js';
import {
  GlobalStep, createGlobalStep, getGlobalStep, getOrCreateGlobalStep,
} from './global_step.js';
import {Graph, getDefaultGraph, resetDefaultGraph} from './graph.js';
import {SessionRunHook} from './hook.js';
import {CheckpointSaverHook, CheckpointSaverListener} from './hooks/checkpoint.js';
import {FeedFnHook, FinalOpsHook, GlobalStepWaiterHook} from './hooks/feeding.js';
import {LoggingTensorHook} from './hooks/logging.js';
import {ProfilerHook} from './hooks/profiler.js';
import {NanTensorHook, StopAtStepHook} from './hooks/stop.js';
import {StepCounterHook, SummarySaverHook} from './hooks/summary.js';
import {MonitoredSession} from './monitored_session.js';
import {USE_DEFAULT, twins} from './options.js';
import {placeholder} from './placeholder.js';
import {SessionRunArgs, SessionRunContext, SessionRunValues} from './run_context.js';
import {Scaffold} from './scaffold.js';
import {savingSummary, savingTrain} from './saving_exports.js';
import {Session} from './session.js';
import {SingularMonitoredSession} from './singular_session.js';
import {fetch, step} from './step.js';
import {histogram, image, scalar} from './summary.js';
import {NeverTriggerTimer, SecondOrStepTimer} from './timer.js';

/** What steps tell TensorBoard, and writers of event files. */
export const summary = {scalar, histogram, image, ...savingSummary};

/**
 * Classes that say so when they are called without `new`, as Python's are. A
 * minifier would take their names out of the engine's own words.
 */
function classes<C extends Record<string, object>>(all: C): C {
  return Object.fromEntries(Object.entries(all).map(([name, cls]) => [
    name,
    new Proxy(cls, {
      apply: () => {
        throw errors.valueError(
            `${name} is a class: new tf.train.${name}(...)`);
      },
    }),
  ])) as C;
}

// Its own type, which an object literal would widen to symbol.
const sentinel: {readonly USE_DEFAULT: typeof USE_DEFAULT} = {USE_DEFAULT};

/** Optimizers, steps, sessions and hooks; functions also in snake_case. */
export const train = {
  ...twins({
    ...optimizers, step, fetch, createGlobalStep, getGlobalStep,
    getOrCreateGlobalStep, withMonitoredTrainingSession, startJob, jobConfig,
    countExamples,
  }),
  ...savingTrain,
  ...sentinel, MonitoredTrainingSession,
  ...classes({
    Saver: savingTrain.Saver, MonitoredSession, SingularMonitoredSession,
    ChiefSessionCreator, WorkerSessionCreator, Coordinator, Scaffold,
    GlobalStep, SessionRunHook, SessionRunArgs, SessionRunContext,
    SessionRunValues, CheckpointSaverHook, CheckpointSaverListener,
    SummarySaverHook, StepCounterHook, LoggingTensorHook, StopAtStepHook,
    NanTensorHook, FinalOpsHook, GlobalStepWaiterHook, FeedFnHook,
    ProfilerHook, SecondOrStepTimer, NeverTriggerTimer,
  }),
  NanLossDuringTrainingError: errors.NanLossDuringTrainingError,
};

const {
  AbortedError, AlreadyExistsError, CancelledError, DataLossError,
  DeadlineExceededError, FailedPreconditionError, InternalError,
  InvalidArgumentError, NotFoundError, OpError, OutOfRangeError,
  PermissionDeniedError, ResourceExhaustedError, StopIteration,
  UnauthenticatedError, UnavailableError, UnimplementedError, UnknownError,
} = errors;

/** TensorFlow's classes of errors. */
export const tfErrors = {
  AbortedError, AlreadyExistsError, CancelledError, DataLossError,
  DeadlineExceededError, FailedPreconditionError, InternalError,
  InvalidArgumentError, NotFoundError, OpError, OutOfRangeError,
  PermissionDeniedError, ResourceExhaustedError, StopIteration,
  UnauthenticatedError, UnavailableError, UnimplementedError, UnknownError,
  ...errors.statusCodes,
};

/** TensorFlow 1's places of the same. */
export const compat = {
  v1: {
    ...twins({getDefaultGraph, resetDefaultGraph}),
    placeholder, Graph, Session, train, summary, errors: tfErrors,
  },
};

export {Graph, getDefaultGraph, placeholder, resetDefaultGraph};
