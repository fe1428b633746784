-- One atomic step: key seen before? last version as expected? then the entry, the key, the due mark (and the seed).
-- KEYS stream, requests, due, seed
-- ARGV expected version, body, hash, nonce, request field ('' for none), digest, game to mark due ('' for none),
--      seed ('' but at creation), ended ('1' or '0'), hash before
-- Answers {'seen', version, digest}, {'done', version} or {'conflict', last version}.
local expected = tonumber(ARGV[1])
local id = string.format('%d-0', expected + 1)

if ARGV[5] ~= '' then
  local first = redis.call('HGET', KEYS[2], ARGV[5])
  if first then
    local version, digest = string.match(first, '^(%d+) (.*)$')
    return {'seen', tonumber(version), digest}
  end
end

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)
local version, before = 0, ''
local function field(entry, name)
  for at = 1, #entry[2], 2 do
    if entry[2][at] == name then return entry[2][at + 1] end
  end
end
if last[1] then
  version = tonumber(string.match(last[1][1], '^%d+'))
  before = field(last[1], 'h')
end
-- The hash too: a log that lost its end in a crash may have come as far again, with other commits.
if version ~= expected or before ~= ARGV[10] then
  -- An append whose answer was lost is tried again: its nonce stands in the entry that it made.
  local entry = redis.call('XRANGE', KEYS[1], id, id)
  if entry[1] and field(entry[1], 'n') == ARGV[4] then return {'done', expected + 1} end
  return {'conflict', version}
end

redis.call('XADD', KEYS[1], id, '1', ARGV[2], 'h', ARGV[3], 'n', ARGV[4])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[2], ARGV[5], (expected + 1) .. ' ' .. ARGV[6]) end
if ARGV[8] ~= '' then redis.call('SET', KEYS[4], ARGV[8]) end
if ARGV[9] == '1' then redis.call('DEL', KEYS[4]) end
if ARGV[7] ~= '' then redis.call('HSET', KEYS[3], ARGV[7], expected + 1) end
return {'done', expected + 1}
