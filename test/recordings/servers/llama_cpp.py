"""Writes a model with random weights, and serves it with the HTTP server of llama.cpp.

Usage: llama_cpp.py FOLDER PORT [embeddings]

Only the constant part of the logits is chosen: words are likely, single letters are not, and an answer ends, or calls a
tool, after some words.
"""

import os
import signal
import sys

import gguf
import numpy as np
import xllamacpp

WIDTH, HEADS, FEED_FORWARD, LAYERS, CONTEXT = 64, 4, 128, 2, 8192
CONSTANT = 20  # The first dimension of every embedding, untouched by the layers.

TEMPLATE = """{% if tools %}<|im_start|>system
# Tools
<tools>{% for tool in tools %}
{{ tool | tojson }}{% endfor %}
</tools>
Call a function within XML tags:
<tool_call>{"name": <function-name>, "arguments": <args-json-object>}</tool_call><|im_end|>
{% endif %}{% for message in messages %}<|im_start|>{{ message.role }}
{% if message.content %}{{ message.content }}{% endif %}{% for call in message.tool_calls or [] %}
<tool_call>{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}</tool_call>
{%- endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""

WORDS = "the a of and to is in it that you not we city weather hello one two blue green sun naïve 日本 🙂".split()
Kind = gguf.TokenType

# Text, kind, and the constant part of the logit.
TOKENS = (
    [("<unk>", Kind.UNKNOWN, -60), ("<|im_start|>", Kind.CONTROL, -60), ("<|im_end|>", Kind.CONTROL, 2.6)]
    + [(f"<0x{byte:02X}>", Kind.BYTE, -60) for byte in range(256)]
    + [("▁" if code == 32 else chr(code), Kind.NORMAL, 3.6 if code == 34 else -9) for code in range(32, 127)]
    + [("▁" + word, Kind.NORMAL, 1) for word in WORDS]
    + [("<tool_call>", Kind.USER_DEFINED, 3.4), ("</tool_call>", Kind.USER_DEFINED, -60)]
)


def describe(writer):
    writer.add_name("random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text for text, _, _ in TOKENS])
    writer.add_token_scores([-float(index) if kind == Kind.NORMAL else 0.0 for index, (_, kind, _) in enumerate(TOKENS)])
    writer.add_token_types([kind for _, kind, _ in TOKENS])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(False)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)


def add_weights(writer):
    random = np.random.default_rng(1)

    def matrix(rows, columns, scale):
        return (random.standard_normal((rows, columns)) * scale).astype(np.float32)

    embedding = matrix(len(TOKENS), WIDTH, 1.0)
    embedding[:, 0] = CONSTANT
    output = matrix(len(TOKENS), WIDTH, 0.1)
    # The norm leaves about seven of the constant dimension.
    output[:, 0] = [constant / 7 for _, _, constant in TOKENS]
    ones = np.ones(WIDTH, np.float32)
    writer.add_tensor("token_embd.weight", embedding)
    writer.add_tensor("output.weight", output)
    writer.add_tensor("output_norm.weight", ones)
    for layer in range(LAYERS):
        writer.add_tensor(f"blk.{layer}.attn_norm.weight", ones)
        writer.add_tensor(f"blk.{layer}.ffn_norm.weight", ones)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add_layer(writer, f"blk.{layer}.{name}.weight", matrix(WIDTH, WIDTH, 0.3))
        add_layer(writer, f"blk.{layer}.ffn_gate.weight", matrix(FEED_FORWARD, WIDTH, 0.3))
        add_layer(writer, f"blk.{layer}.ffn_up.weight", matrix(FEED_FORWARD, WIDTH, 0.3))
        add_layer(writer, f"blk.{layer}.ffn_down.weight", matrix(WIDTH, FEED_FORWARD, 0.3))


def add_layer(writer, name, weights):
    if "output" in name or "down" in name:
        weights[0] = 0
    writer.add_tensor(name, weights)


def write_model(path):
    writer = gguf.GGUFWriter(path, "llama")
    describe(writer)
    add_weights(writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def serve(path, port, embeddings):
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {"random"}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    # The same request gets the same answer, plain and streamed. This seed gives short ones.
    params.sampling.seed = 5
    params.cache_prompt = False
    params.use_jinja = True
    params.embedding = embeddings
    if embeddings:
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    signal.pause()


if __name__ == "__main__":
    folder, port, *mode = sys.argv[1:]
    model = os.path.join(folder, "random.gguf")
    write_model(model)
    serve(model, int(port), mode == ["embeddings"])
