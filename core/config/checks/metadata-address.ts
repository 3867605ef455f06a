import { describePath } from '../describe-path.ts';
import type { Finding } from '../problem.ts';
import { collectTexts, isOption } from '../secret-places.ts';
import type { Check } from './check.ts';

/** Where clouds hand out the credentials of the machine, as the URL parser writes them: whatever they are disguised as. */
const METADATA = new Set(['169.254.169.254', '[fd00:ec2::254]', 'metadata.google.internal']);

/** No provider and no service lives there. */
export const checkMetadataAddress: Check = ({ data }) =>
  [...collectTexts(data)].flatMap(([path, value]): readonly Finding[] =>
    isOption(path) && /^https?:/i.test(value) && URL.canParse(value) && METADATA.has(new URL(value).hostname)
      ? [{ path, rule: 'metadata-address', message: `${describePath(path)} is the metadata service of the cloud, which hands out the credentials of this machine. No call may go there.` }]
      : [],
  );
