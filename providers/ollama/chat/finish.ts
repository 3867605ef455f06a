import type { Finish } from '../../../core/api/index.ts';
import type { Lose } from '../../../core/api/codec.ts';

const known: ReadonlySet<string> = new Set(['', 'stop', 'length']);

/** `load` and `unload` end a response without content. What other wires do not have is named. */
export const readFinish = (reason: string, called: boolean, lose: Lose): Finish => {
  if (!known.has(reason)) lose('done_reason', 'approximated', `'${reason}' is an ordinary end on other wires`);
  return {
    reason: reason === 'length' ? 'length' : called ? 'tool_calls' : 'stop',
    ...(reason === '' ? {} : { vendor: reason }),
  };
};
