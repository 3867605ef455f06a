import type { Capabilities, Operation, WireName } from '../api/index.ts';
import type {
  WireTraits,
  Lose,
  Loss,
  Origin,
  ReadContext,
  RequestOf,
  TargetProfile,
  WriteContext,
} from '../api/codec.ts';

/** Collects losses. */
export interface LossList {
  readonly losses: readonly Loss[];
  readonly lose: Lose;
}
export function createLossList(): LossList {
  const losses: Loss[] = [];
  return { losses, lose: (field, kind, detail) => void losses.push({ field, kind, detail }) };
}

export const testOrigin: Origin = { provider: 'provider', family: 'family' };

export const createReadContext = (lose: Lose = () => undefined): ReadContext => ({ origin: testOrigin, turn: 0, lose });

/** Ids are numbered and the clock does not advance: the same events produce the same text. */
export function createWriteContext<O extends Operation = 'generate'>(
  request: RequestOf<O>,
  lose: Lose = () => undefined,
): WriteContext<O> {
  let ids = 0;
  return {
    request,
    created: 1_700_000_000,
    now: () => 1_700_000_001,
    newId: (prefix) => `${prefix}${String(++ids).padStart(24, '0')}`,
    lose,
    inputEstimate: 10,
  };
}

export const createProfile = (
  wire: WireName,
  capabilities: Capabilities = {},
  traits: WireTraits = {},
): TargetProfile => ({
  provider: testOrigin.provider,
  model: 'model',
  wire,
  origin: testOrigin,
  capabilities,
  traits,
});
