import type { Part } from '../../canonical/part.ts';
import type { Turn } from '../../canonical/request.ts';
import type { FitContext } from '../../contracts/fit.ts';
import { describeField } from './field-name.ts';

/**
 * The client's path of a part, for losses.
 * @param word names what is lost. It is left out of the loss where the client has no such member.
 */
export const placePart = (part: Part | undefined, { client, place }: FitContext, word: string): string =>
  `${(part && place?.(part)) ?? describeField(client, 'conversation')}.${word}`;

/** The client's path of the first part of a turn. */
export const placeTurn = (turn: Turn | undefined, context: FitContext, word: string): string =>
  placePart(turn?.parts[0], context, word);
