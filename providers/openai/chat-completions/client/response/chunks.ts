import type { JsonObject, WriteContext, WriteFrame } from '../../../../../core/index.ts';
import { describeTier } from '../../../service-tier.ts';
import { UNNAMED } from './response.ts';

export interface ChunkWriter {
  /** What every chunk of the answer repeats. */
  begin(head: { readonly id?: string; readonly model?: string }): void;
  delta(choice: number, delta: JsonObject, write: WriteFrame): void;
  finish(choice: number, reason: string, write: WriteFrame): void;
  usage(usage: JsonObject, tier: string | undefined, write: WriteFrame): void;
}

/** The frames of one stream. The text around a delta never changes, so it is made once and only the delta is serialised. */
export function createChunkWriter({ request, created, newId }: WriteContext): ChunkWriter {
  const noUsage = request.includeUsage ? ',"usage":null}' : '}';
  let head: string | undefined;
  const begin: ChunkWriter['begin'] = ({ id = '', model = UNNAMED }) => {
    const text = JSON.stringify({
      id: id === '' ? newId('chatcmpl-') : id,
      object: 'chat.completion.chunk',
      created,
      model,
    });
    head = `${text.slice(0, -1)},"choices":[`;
  };
  const opening = (): string => {
    if (head === undefined) begin({});
    return head ?? '';
  };
  const choiceOf = (choice: number, delta: string, reason: string) =>
    `${opening()}{"index":${choice},"delta":${delta},"logprobs":null,"finish_reason":${reason}}]${noUsage}`;
  return {
    begin,
    delta: (choice, delta, write) => write(undefined, choiceOf(choice, JSON.stringify(delta), 'null')),
    finish: (choice, reason, write) => write(undefined, choiceOf(choice, '{}', JSON.stringify(reason))),
    usage: (usage, tier, write) => {
      const served = tier === undefined ? '' : `,"service_tier":${JSON.stringify(describeTier(tier))}`;
      write(undefined, `${opening()}],"usage":${JSON.stringify(usage)}${served}}`);
    },
  };
}
