import {
  createKeptLimit,
  isObject,
  sealProof,
  type CallHead,
  type JsonObject,
  type Lose,
  type PartEvent,
  type PartKind,
} from '../../../../../core/index.ts';
import { sealCallProof } from '../../call-proof.ts';
import { showCitations } from '../../citations.ts';
import { WIRE, type Write } from '../../shape.ts';

type Start = Extract<PartEvent, { type: 'part-start' }>;
type End = Extract<PartEvent, { type: 'part-end' }>;

/** A part being written. */
export interface OpenPart {
  delta(text: string): void;
  end(event: End): void;
}
interface Sink {
  readonly lose: Lose;
  readonly show: boolean;
  /** Counts what is kept until its block is written. */
  readonly keep: (chars: number) => void;
  /** Opens the block if it is not open yet. Indices count the blocks that are written, not the parts: the SDK loses text when they have gaps. */
  open(block: JsonObject): void;
  delta(delta: JsonObject): void;
  /** Closes the block if it is open. */
  close(): void;
}

const ignore = (): void => {};
const nothing: OpenPart = { delta: ignore, end: ignore };

const textPart = (sink: Sink): OpenPart => {
  const open = () => sink.open({ type: 'text', text: '' });
  return {
    delta: (text) => {
      open();
      sink.delta({ type: 'text_delta', text });
    },
    end: ({ citations = [], proof }) => {
      if (proof !== undefined && sink.show)
        sink.lose('content', 'dropped', 'the signature of a text has no place here');
      const shown = showCitations(citations, () =>
        sink.lose('citations', 'dropped', 'a citation without an address has no place here'),
      );
      if (shown.length > 0) open();
      for (const citation of shown) sink.delta({ type: 'citations_delta', citation });
      sink.close();
    },
  };
};

/** The SDK assigns signatures instead of appending, so one goes out whole, once, after all thinking. */
const thinkingPart = (sink: Sink): OpenPart => {
  const open = () => sink.open({ type: 'thinking', thinking: '', signature: '' });
  return {
    delta: (thinking) => {
      if (!sink.show) return;
      open();
      sink.delta({ type: 'thinking_delta', thinking });
    },
    end: ({ proof }) => {
      if (proof !== undefined) {
        open();
        sink.delta({ type: 'signature_delta', signature: sealProof(proof) });
      }
      sink.close();
    },
  };
};

const redactedPart = (sink: Sink): OpenPart => ({
  delta: ignore,
  end: ({ proof }) => {
    if (proof === undefined) return;
    sink.open({ type: 'redacted_thinking', data: sealProof(proof) });
    sink.close();
  },
});

const callPart = (sink: Sink, { id, name, kind }: CallHead): OpenPart => {
  let text = '';
  let empty = true;
  const custom = kind === 'custom';
  const write = (partial: string) => sink.delta({ type: 'input_json_delta', partial_json: partial });
  sink.open({ type: 'tool_use', id, name, input: {} });
  return {
    delta: (fragment) => {
      empty = false;
      if (!custom) return write(fragment);
      sink.keep(fragment.length);
      text += fragment;
    },
    end: ({ proof }) => {
      if (custom) write(JSON.stringify({ input: text }));
      else if (empty) write('');
      sink.close();
      if (proof !== undefined)
        thinkingPart(sink).end({
          type: 'part-end',
          choice: 0,
          part: 0,
          proof: { origin: undefined, value: sealCallProof(id, proof) },
        });
    },
  };
};

/** Server tools stream their input like calls of the client; every other block of the vendor comes whole in its start. */
const writeOpaque = (sink: Sink, value: unknown): void => {
  if (!isObject(value) || value['wire'] !== WIRE || !isObject(value['value']))
    return sink.lose('content', 'dropped', 'messages has no such part');
  const block = value['value'];
  const streamsInput =
    (block['type'] === 'server_tool_use' || block['type'] === 'mcp_tool_use') && isObject(block['input']);
  sink.open(streamsInput ? { ...block, input: {} } : block);
  if (streamsInput) sink.delta({ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) });
  sink.close();
};

const starters: Readonly<Record<PartKind, (start: Start, sink: Sink) => OpenPart>> = {
  text: (_start, sink) => textPart(sink),
  refusal: (_start, sink) => textPart(sink),
  reasoning: ({ redacted }, sink) => (redacted === true ? redactedPart(sink) : thinkingPart(sink)),
  'tool-call': ({ call }, sink) => (call === undefined ? nothing : callPart(sink, call)),
  media: (_start, { lose }) => {
    lose('media', 'dropped', 'messages has no media in answers');
    return nothing;
  },
  opaque: ({ value }, sink) => {
    writeOpaque(sink, value);
    return nothing;
  },
};

/** Writes parts, which come one after the other, as content blocks with dense indices. */
export function createBlockStream(write: Write, lose: Lose, show: boolean): (event: PartEvent) => void {
  let index = -1;
  let isOpen = false;
  let current: OpenPart = nothing;
  const sink: Sink = {
    lose,
    show,
    keep: createKeptLimit(),
    open: (block) => {
      if (isOpen) return;
      isOpen = true;
      index += 1;
      write('content_block_start', { type: 'content_block_start', index, content_block: block });
    },
    delta: (delta) => write('content_block_delta', { type: 'content_block_delta', index, delta }),
    close: () => {
      if (!isOpen) return;
      isOpen = false;
      write('content_block_stop', { type: 'content_block_stop', index });
    },
  };
  return (event) => {
    if (event.type === 'part-start') current = starters[event.kind](event, sink);
    else if (event.type === 'part-end') current.end(event);
    else if (event.text !== '') current.delta(event.text);
  };
}
