import { wireAt } from '../../test/support/calls.ts';
import { contentFrame, firstFrames, goodBody, goodFrames } from '../../test/faults/upstream/answers.ts';
import { startFaultUpstream, type FaultRequest } from '../../test/faults/upstream/fault-upstream.ts';
import { chunk, complete, lastChunk, pause, plain, type Step } from '../../test/faults/upstream/steps.ts';
import type { Mode, Wire } from '../../test/matrix/wires.ts';
import { faults, streamHead } from './faults.ts';
import { createRotation } from './rotation.ts';

/** The pace of streams. */
export interface Pace {
  /** Pieces of content in a stream, and milliseconds between them. */
  readonly pieces: number;
  readonly every: number;
}

export interface SoakUpstream {
  readonly url: string;
  /** How often each fault was used. */
  readonly faultCounts: ReadonlyMap<string, number>;
  /** Open connections. */
  connections(): number;
  /** Closes idle connections. */
  closeIdle(): void;
  stop(): Promise<void>;
}

/** Before the first byte of a response. */
const FIRST_BYTE_MS = 100;

const modeOf = ({ path, body }: FaultRequest): Mode =>
  path.includes(':stream') || body.includes('"stream":true') ? 'streamed' : 'plain';

const pacedStream = (wire: Wire, { pieces, every }: Pace): readonly Step[] => {
  const [first, piece] = [firstFrames(wire), contentFrame(wire)];
  const last = goodFrames(wire).slice(first.length);
  return [
    pause(FIRST_BYTE_MS),
    streamHead,
    ...first.map(chunk),
    ...Array.from({ length: pieces }, () => [pause(every), chunk(piece)]).flat(),
    ...last.map(chunk),
    lastChunk,
    complete,
  ];
};

/**
 * A vendor with every wire. It sends good responses and paced streams; a share of the calls gets one fault after the
 * other.
 */
export async function startSoakUpstream(pace: Pace, share: number): Promise<SoakUpstream> {
  const upstream = await startFaultUpstream();
  const nextFault = createRotation(faults, share);
  const faultCounts = new Map<string, number>();
  upstream.script = (request) => {
    // The requests that it keeps for tests would grow in a long run.
    upstream.requests.length = 0;
    const [wire, mode] = [wireAt(request.path.split('?')[0] ?? ''), modeOf(request)];
    const fault = nextFault();
    if (fault === undefined)
      return mode === 'streamed' ? pacedStream(wire, pace) : [pause(FIRST_BYTE_MS), ...plain(200, goodBody(wire))];
    faultCounts.set(fault.name, (faultCounts.get(fault.name) ?? 0) + 1);
    return fault.steps(wire, mode);
  };
  return {
    url: upstream.url,
    faultCounts,
    connections: () => upstream.lines.filter(({ raw }) => !raw.closed).length,
    closeIdle: () => upstream.lines.forEach(({ raw, idle }) => idle && raw.destroy()),
    stop: upstream.stop,
  };
}
