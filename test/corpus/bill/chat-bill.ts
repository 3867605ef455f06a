import { bodiesOf, countOf, objectOf, tierOf, type Bill, type Json } from './bill.ts';

/**
 * Cached input: https://platform.openai.com/docs/guides/prompt-caching,
 * https://api-docs.deepseek.com/guides/kv_cache, https://docs.mistral.ai/api, https://platform.moonshot.ai/docs
 */
const cachedOf = (usage: Json): number =>
  countOf(
    objectOf(usage['prompt_tokens_details'])['cached_tokens'] ??
      usage['prompt_cache_hit_tokens'] ??
      usage['num_cached_tokens'] ??
      usage['cached_tokens'],
  );

/** Searches of OpenRouter, Groq and Perplexity. */
const searchesOf = (usage: Json): number =>
  countOf(
    objectOf(usage['server_tool_use'])['web_search_requests'] ??
      objectOf(usage['server_tool_use_details'])['web_search_requests'] ??
      usage['num_search_queries'],
  );

/** https://platform.openai.com/docs/api-reference/chat/object */
export const readChatBill = (text: string): readonly Bill[] => {
  const bodies = bodiesOf(text);
  const usage = bodies
    .flatMap((body) => [objectOf(body['usage']), objectOf(objectOf(body['x_groq'])['usage'])])
    .findLast((found) => 'prompt_tokens' in found || 'completion_tokens' in found);
  if (usage === undefined) return [];
  const input = objectOf(usage['prompt_tokens_details']);
  const output = objectOf(usage['completion_tokens_details']);
  const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) =>
    countOf(usage[name]),
  ) as [number, number, number];
  const reasoning = countOf(output['reasoning_tokens']);
  const beyond = total - prompt - completion;
  // xAI counts reasoning beside the completion: https://docs.x.ai/docs/models. Mistral counts audio beside the prompt.
  // Google has thoughts in the total only: https://ai.google.dev/gemini-api/docs/openai
  const audio = countOf(input['audio_tokens']);
  const isAudio = beyond > 0 && beyond === audio && beyond !== reasoning;
  const reported = completion + (beyond > 0 && !isAudio ? beyond : 0);
  // A completion that is less than the reasoning does not include it: Vercel, for Gemini, whose cost shows it.
  const all = reasoning > reported ? reported + reasoning : reported;
  const whole = prompt + (isAudio ? audio : 0);
  // Grok at Azure counts more cached tokens than the prompt has.
  const cacheRead = Math.min(cachedOf(usage), whole);
  const written = countOf(input['cache_write_tokens']);
  const cacheWrite12h = Math.min(written, countOf(objectOf(input['cache_write_tokens_details'])['ttl_12h_tokens']));
  const uncached = Math.max(0, whole - cacheRead - written);
  const inputAudio = Math.min(audio, uncached);
  const inputImage = Math.min(countOf(input['image_tokens']), uncached - inputAudio);
  const inputVideo = Math.min(countOf(input['video_tokens']), uncached - inputAudio - inputImage);
  const outputAudio = Math.min(countOf(output['audio_tokens']), all - reasoning);
  const outputImage = Math.min(countOf(output['image_tokens']), all - reasoning - outputAudio);
  return [
    {
      ...tierOf(
        bodies.findLast(({ service_tier: tier }) => typeof tier === 'string')?.['service_tier'] ??
          usage['service_tier'],
      ),
      counts: {
        input: uncached - inputAudio - inputImage - inputVideo,
        inputAudio,
        inputImage,
        inputVideo,
        cacheRead,
        cacheWrite5m: written - cacheWrite12h,
        cacheWrite12h,
        output: all - reasoning - outputAudio - outputImage,
        reasoning,
        outputAudio,
        outputImage,
        webSearches: searchesOf(usage),
        seconds: countOf(usage['prompt_audio_seconds']),
      },
    },
  ];
};
