import { GatewayError } from '../../../core/api/index.ts';

/** https://ai.google.dev/gemini-api/docs/speech-generation#voices */
const voices = [
  'Zephyr',
  'Puck',
  'Charon',
  'Kore',
  'Fenrir',
  'Leda',
  'Orus',
  'Aoede',
  'Callirrhoe',
  'Autonoe',
  'Enceladus',
  'Iapetus',
  'Umbriel',
  'Algieba',
  'Despina',
  'Erinome',
  'Algenib',
  'Rasalgethi',
  'Laomedeia',
  'Achernar',
  'Alnilam',
  'Schedar',
  'Gacrux',
  'Pulcherrima',
  'Achird',
  'Zubenelgenubi',
  'Vindemiatrix',
  'Sadachbia',
  'Sadaltager',
  'Sulafat',
] as const;
const byLowerCase: ReadonlyMap<string, string> = new Map(voices.map((voice) => [voice.toLowerCase(), voice]));

/**
 * A voice of Google, in any case of its letters. Which of them is like a voice of another vendor, no vendor says.
 * @throws GatewayError `unsupported_parameter`
 */
export function findVoice(name: string, model: string): string {
  const voice = byLowerCase.get(name.toLowerCase());
  if (voice !== undefined) return voice;
  throw new GatewayError('unsupported_parameter', `${model} has no voice '${name}'. It has ${voices.join(', ')}.`, {
    param: 'voice',
  });
}
