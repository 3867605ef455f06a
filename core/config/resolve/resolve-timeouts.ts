import type { DraftProvider, DraftTimeouts } from '../schema/draft.ts';
import { parseDuration } from '../units/duration.ts';
import type { CallTimeouts, ProviderConfig } from '../gateway-config.ts';

export const resolveProviderTimeouts = ({
  connect,
  firstByte,
  firstContent,
  idle,
  total,
}: DraftProvider['timeouts']): ProviderConfig['timeouts'] => ({
  connect: parseDuration(connect),
  firstByte: parseDuration(firstByte),
  ...(firstContent === undefined ? {} : { firstContent: parseDuration(firstContent) }),
  idle: parseDuration(idle),
  total: parseDuration(total),
});

/** Only those that the model sets. */
export const resolveModelTimeouts = ({
  firstByte,
  firstContent,
  idle,
  total,
}: Partial<DraftTimeouts>): Partial<CallTimeouts> => ({
  ...(firstByte === undefined ? {} : { firstByte: parseDuration(firstByte) }),
  ...(firstContent === undefined ? {} : { firstContent: parseDuration(firstContent) }),
  ...(idle === undefined ? {} : { idle: parseDuration(idle) }),
  ...(total === undefined ? {} : { total: parseDuration(total) }),
});
