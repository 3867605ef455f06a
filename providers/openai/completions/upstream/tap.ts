import type { GenerateRequest } from '../../../../core/api/index.ts';
import { readText, type Tap } from '../../../../core/api/codec.ts';
import { weighText } from '../../../../core/api/internal.ts';
import { type ChoicesForm, ChoicesTap, type TapSettings } from '../../chat-completions/upstream/response/tap.ts';

const completions: ChoicesForm = {
  chunk: 'text_completion',
  weigh: (choice) => {
    const chars = weighText(readText(choice['text']));
    return { chars, reasons: false, calls: false, refuses: false, shows: chars > 0 };
  },
};

export const createTap = (request: GenerateRequest, settings?: TapSettings): Tap =>
  new ChoicesTap(completions, request, settings);
