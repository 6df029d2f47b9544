// What the steps use of a library. The one with no care at all runs on both.
import type * as tidemark from 'tidemark';

export type Api = typeof tidemark;
export type Session = tidemark.EagerSession;

/** What a lane does in a step; it answers twice the step's number. */
export type Step = (n: number) => Promise<number | undefined>;
export type Look = (n: number) => void;
