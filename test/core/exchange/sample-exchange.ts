import type { AttemptTrail } from '../../../core/dispatch/dispatcher.ts';
import type { AttemptRecord, Reply, Target } from '../../../core/api/index.ts';

export const createReply = (target: Target, more: Partial<Reply> = {}): Reply => ({
  status: 200,
  lane: 'native',
  target,
  losses: [],
  headers: {},
  waitedMs: 0,
  deliver: async () => ({ reason: 'complete', usage: undefined, outputChars: 0 }),
  cancel: () => {},
  ...more,
});

export const sampleRecord: AttemptRecord = {
  target: 'vendor/model',
  credential: 'key-1',
  lane: 'native',
  committed: true,
  status: 200,
  ms: 5,
  losses: [],
};

/** The attempts of an exchange that has just started. */
export const createTrail = (): AttemptTrail => ({
  attempts: [],
  target: undefined,
  provider: undefined,
  reply: undefined,
});
