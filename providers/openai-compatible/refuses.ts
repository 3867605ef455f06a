/**
 * Members by which servers of this wire choose other models, providers or addresses than the request's `model`: aggregators and gateways, such as
 * OpenRouter, LiteLLM, Portkey and Vercel's. A server that ignores them loses nothing.
 */
export const refuses: readonly string[] = [
  // Models and the order of providers: https://openrouter.ai/docs/features/model-routing
  'models', 'route', 'provider', 'providers', 'provider_options', 'preset', 'plugins', 'transforms',
  'fallback', 'fallbacks', 'fallback_model', 'fallback_models', 'model_fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'default_fallbacks',
  'model_list', 'model_config', 'model_group', 'engine', 'deployment_id', 'router', 'router_settings', 'targets', 'strategy',
  // Addresses and credentials: https://docs.litellm.ai/docs/completion/input
  'api_base', 'api_key', 'api_type', 'api_version', 'base_url', 'base_path', 'custom_host', 'endpoint', 'endpoint_url', 'proxy', 'proxies',
  'headers', 'extra_headers', 'extra_query', 'custom_llm_provider', 'llm_provider', 'litellm_params', 'litellm_credential_name', 'user_config', 'config', 'virtual_key',
  'aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_region_name', 'aws_role_name', 'aws_bedrock_runtime_endpoint',
  'azure_endpoint', 'azure_ad_token', 'vertex_project', 'vertex_location', 'vertex_credentials', 'region_name',
  // Answers without any model.
  'mock_response', 'mock_tool_calls', 'mock_timeout', 'mock_testing_fallbacks', 'mock_testing_context_fallbacks', 'mock_testing_content_policy_fallbacks',
];
