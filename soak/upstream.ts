import { wireAt } from '../test/e2e/calls.ts';
import { contentFrame, firstFrames, goodBody, goodFrames } from '../test/faults/upstream/answers.ts';
import { startFaultUpstream, type FaultRequest } from '../test/faults/upstream/fault-upstream.ts';
import { chunk, complete, lastChunk, pause, plain, type Step } from '../test/faults/upstream/steps.ts';
import type { Mode, Wire } from '../test/matrix/wires.ts';
import { faults, streamHead } from './faults.ts';
import { createTurns } from './turns.ts';

/** How streams are paced. */
export interface Pace {
  /** Pieces of content in a stream, and milliseconds between two. */
  readonly pieces: number;
  readonly every: number;
}

export interface SoakUpstream {
  readonly url: string;
  /** How often each fault was done. */
  readonly done: ReadonlyMap<string, number>;
  /** Connections that are open. */
  connections(): number;
  /** Closes those that no call is on. */
  closeIdle(): void;
  stop(): Promise<void>;
}

/** Before anything is said. */
const THINKING_MS = 100;

const modeOf = ({ path, body }: FaultRequest): Mode =>
  path.includes(':stream') || body.includes('"stream":true') ? 'streamed' : 'plain';

const wellPaced = (wire: Wire, { pieces, every }: Pace): readonly Step[] => {
  const [first, piece] = [firstFrames(wire), contentFrame(wire)];
  const rest = goodFrames(wire).slice(first.length);
  return [
    pause(THINKING_MS),
    streamHead,
    ...first.map(chunk),
    ...Array.from({ length: pieces }, () => [pause(every), chunk(piece)]).flat(),
    ...rest.map(chunk),
    lastChunk,
    complete,
  ];
};

/** A vendor that speaks every wire: good answers, streams paced, and for this share of the calls one fault after the other. */
export async function startSoakUpstream(pace: Pace, share: number): Promise<SoakUpstream> {
  const upstream = await startFaultUpstream();
  const nextFault = createTurns(faults, share);
  const done = new Map<string, number>();
  upstream.script = (request) => {
    // What it keeps for tests would be the growth of a long run.
    upstream.requests.length = 0;
    const [wire, mode] = [wireAt(request.path.split('?')[0] ?? ''), modeOf(request)];
    const fault = nextFault();
    if (fault === undefined)
      return mode === 'streamed' ? wellPaced(wire, pace) : [pause(THINKING_MS), ...plain(200, goodBody(wire))];
    done.set(fault.name, (done.get(fault.name) ?? 0) + 1);
    return fault.steps(wire, mode);
  };
  return {
    url: upstream.url,
    done,
    connections: () => upstream.lines.filter(({ raw }) => !raw.closed).length,
    closeIdle: () => upstream.lines.forEach(({ raw, idle }) => idle && raw.destroy()),
    stop: upstream.stop,
  };
}
