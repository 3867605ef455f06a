import { omitUndefined } from '../../canonical/json/omit-undefined.ts';
import type { DraftProvider, DraftTimeouts } from '../schema/draft.ts';
import { parseDuration } from '../units/duration.ts';
import type { CallTimeouts, ProviderConfig } from '../gateway-config.ts';

export const resolveProviderTimeouts = ({
  connect,
  firstByte,
  firstContent,
  idle,
  total,
}: DraftProvider['timeouts']): ProviderConfig['timeouts'] =>
  omitUndefined({
    connect: parseDuration(connect),
    firstByte: parseDuration(firstByte),
    firstContent: firstContent === undefined ? undefined : parseDuration(firstContent),
    idle: parseDuration(idle),
    total: parseDuration(total),
  });

/** Has only the timeouts that the model sets. */
export const resolveModelTimeouts = ({
  firstByte,
  firstContent,
  idle,
  total,
}: Partial<DraftTimeouts>): Partial<CallTimeouts> =>
  omitUndefined({
    firstByte: firstByte === undefined ? undefined : parseDuration(firstByte),
    firstContent: firstContent === undefined ? undefined : parseDuration(firstContent),
    idle: idle === undefined ? undefined : parseDuration(idle),
    total: total === undefined ? undefined : parseDuration(total),
  });
