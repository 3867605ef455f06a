import { shortenCallId } from '../../../shorten.ts';
import { WIRE } from '../../shape.ts';

const MAX_LENGTH = 40;

/** The id of a call within the vendor's limit. A client of this wire gets the vendor's error instead. */
export const writeCallId = (id: string, wire: string): string => (wire === WIRE ? id : shortenCallId(id, MAX_LENGTH));
