import type { Clock, Log, PrimaryLink } from '../../../core/index.ts';
import type { Note, PrimaryMessage } from './messages.ts';

const ANSWER_MS = 5_000;

/** Sends a change to the primary instance. */
export type Report = (note: Note) => void;

/** Changes are sent without waiting. That one could not be sent is logged once, until one can be again. */
export function createReport(primary: PrimaryLink, log: Log): Report {
  let isLost = false;
  const send = async (message: PrimaryMessage): Promise<void> => {
    try {
      await primary.ask(message, ANSWER_MS);
      isLost = false;
    } catch (error) {
      if (!isLost) log.warn({ error }, 'the admin API cannot be told of circuits');
      isLost = true;
    }
  };
  return (note) => void send({ call: 'note', note });
}

/** Until when, on the clock of the wall. */
export const wallTime = (clock: Clock, inMs: number): number => clock.now() + Math.ceil(inMs);
