import type { JsonObject, Usage } from '../../../../../core/api/index.ts';
import type { WriteContext, WriteFrame } from '../../../../../core/api/codec.ts';
import { describeTier } from '../../../service-tier.ts';
import { markEstimated, writeUsage } from '../../usage.ts';
import { UNNAMED } from './response.ts';

/**
 * Writes the frames of one stream. The text around a delta is the same in every frame, so only the delta is serialised.
 */
export class ChunkWriter {
  readonly #context: WriteContext;
  readonly #tail: string;
  /** Everything before the first choice; `undefined` until the response starts. */
  #head: string | undefined;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#tail = context.request.includeUsage ? ',"usage":null}' : '}';
  }

  /** Sets the id and the model, which every chunk repeats. */
  begin({ id = '', model = UNNAMED }: { readonly id?: string; readonly model?: string }): void {
    this.#head = this.#formatHead(id, model);
  }

  delta(choice: number, delta: JsonObject, write: WriteFrame): void {
    write(undefined, this.#formatChoice(choice, JSON.stringify(delta), 'null'));
  }

  finish(choice: number, reason: string, write: WriteFrame): void {
    write(undefined, this.#formatChoice(choice, '{}', JSON.stringify(reason)));
  }

  usage(usage: Usage, write: WriteFrame): void {
    const { tier } = usage;
    const members = {
      usage: writeUsage(usage),
      ...(tier === undefined ? {} : { service_tier: describeTier(tier) }),
      ...markEstimated(usage),
    };
    this.#head ??= this.#formatHead('', UNNAMED);
    write(undefined, `${this.#head}],${JSON.stringify(members).slice(1)}`);
  }

  #formatChoice(choice: number, delta: string, reason: string): string {
    this.#head ??= this.#formatHead('', UNNAMED);
    return `${this.#head}{"index":${choice},"delta":${delta},"logprobs":null,"finish_reason":${reason}}]${this.#tail}`;
  }

  #formatHead(id: string, model: string): string {
    const { created, newId } = this.#context;
    const head = { id: id === '' ? newId('chatcmpl-') : id, object: 'chat.completion.chunk', created, model };
    return `${JSON.stringify(head).slice(0, -1)},"choices":[`;
  }
}
