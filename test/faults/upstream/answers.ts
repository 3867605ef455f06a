import { untilText } from '../../matrix/vendors/breaks.ts';
import { goodDay } from '../../matrix/sample-bodies.ts';
import { framesOf, textOf } from '../../matrix/vendors/vendors.ts';
import type { Mode, Wire } from '../../matrix/wires.ts';
import type { Script } from './fault-upstream.ts';
import { plain, streamed, type HeaderLines, type Step } from './steps.ts';

/** `Good day.` in the format of each vendor. */
export const goodBody = (wire: Wire): string => textOf(wire, 'plain', goodDay);
export const goodFrames = (wire: Wire): readonly string[] => framesOf(wire, goodDay);
/** Its frames up to the first half of the text. */
export const firstFrames = (wire: Wire): readonly string[] => goodFrames(wire).slice(0, untilText[wire]);
/** One frame with content for the client. */
export const contentFrame = (wire: Wire): string => goodFrames(wire)[untilText[wire] - 1] ?? '';
/** Its frames before any text. Google's first frame has text already. */
export const framesBeforeText = (wire: Wire): readonly string[] =>
  wire === 'google' ? [': \r\n\r\n'] : goodFrames(wire).slice(0, 1);
/** A keep-alive of the vendor. */
export const ping = (wire: Wire): string =>
  wire === 'messages' ? 'event: ping\ndata: {"type":"ping"}\n\n' : ': ping\n\n';

export const goodAnswer = (wire: Wire, mode: Mode, headers: HeaderLines = {}): readonly Step[] =>
  mode === 'plain' ? plain(200, goodBody(wire), headers) : streamed(goodFrames(wire), headers);
export const answerWell =
  (wire: Wire, mode: Mode): Script =>
  () =>
    goodAnswer(wire, mode);
