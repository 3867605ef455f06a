import {
  createResponseTap,
  omitUndefined,
  readText,
  type Tap,
  type TargetProfile,
} from '../../../../core/api/codec.ts';
import { writeError } from '../../chat-completions/client/response/error.ts';

import { readUsage, writeUsage } from '../usage.ts';
import { readData } from './response.ts';

const readFigures = (body: unknown) => {
  const { response } = readData(body);
  return omitUndefined({ usage: readUsage(response['usage']), model: readText(response['model']) || undefined });
};

/** Clients require a usage, which some servers do not send. */
const complete: Tap['complete'] = (usage) => [{ member: 'usage', value: writeUsage(usage, 0) }];

export const createTap = ({ keepsUsage = false }: Pick<TargetProfile, 'keepsUsage'> = {}): Tap => {
  const tap = createResponseTap(readFigures, writeError);
  return keepsUsage ? tap : Object.assign(tap, { complete });
};
