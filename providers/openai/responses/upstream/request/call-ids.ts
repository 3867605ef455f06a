import { shortenCallId } from '../../../shorten.ts';
import { WIRE } from '../../shape.ts';

const LONGEST = 64;

/** The id of a call as the vendor takes it. A client of this wire is told by the vendor what is too long. */
export const writeCallId = (id: string, wire: string): string => (wire === WIRE ? id : shortenCallId(id, LONGEST));
