-- One atomic step: key seen before? last version as expected? then the entry, the key, the due mark (and the seed).
-- KEYS stream, requests, due, seed; then, for games that somebody may be waited for in: clocks, idle, clock terms
-- ARGV expected version, body, hash, nonce, request field ('' for none), digest, game to mark due ('' for none),
--      seed ('' but at creation), ended ('1' or '0'), hash before; then, with the further keys: game, seconds a turn
--      ('' without a clock), does a turn begin ('1' or '0'), clock terms ('' but at creation), and for the lists of
--      games, which are the keys after those: in which of them it stands from now on ('' for where it stood), counted
--      from 1, and is it new there ('1'; '0' moves it only if it stands in another)
-- Answers {'seen', version, digest, deadline}, {'done', version, deadline} or {'conflict', last version}; a deadline is
-- in milliseconds, '' where no clock runs. It is remembered with the key: the first answer's is told again.
local expected = tonumber(ARGV[1])
local id = string.format('%d-0', expected + 1)

if ARGV[5] ~= '' then
  local first = redis.call('HGET', KEYS[2], ARGV[5])
  if first then
    local version, deadline, digest = string.match(first, '^(%d+):?(%d*) (.*)$')
    return {'seen', tonumber(version), digest, deadline}
  end
end

local function running()
  return KEYS[5] and ARGV[12] ~= '' and redis.call('ZSCORE', KEYS[5], ARGV[11]) or ''
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
  if entry[1] and field(entry[1], 'n') == ARGV[4] then return {'done', expected + 1, running()} end
  return {'conflict', version}
end

redis.call('XADD', KEYS[1], id, '1', ARGV[2], 'h', ARGV[3], 'n', ARGV[4])
if ARGV[8] ~= '' then redis.call('SET', KEYS[4], ARGV[8]) end
if ARGV[9] == '1' then redis.call('DEL', KEYS[4]) end
if ARGV[7] ~= '' then redis.call('HSET', KEYS[3], ARGV[7], expected + 1) end
if KEYS[5] then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  if ARGV[14] ~= '' then redis.call('HSET', KEYS[7], ARGV[11], ARGV[14]) end
  if ARGV[9] == '1' then
    redis.call('ZREM', KEYS[5], ARGV[11])
    redis.call('ZREM', KEYS[6], ARGV[11])
  else
    redis.call('ZADD', KEYS[6], string.format('%.0f', now), ARGV[11])
    if ARGV[13] == '1' and ARGV[12] ~= '' then
      redis.call('ZADD', KEYS[5], string.format('%.0f', now + ARGV[12] * 1000), ARGV[11])
    end
  end
  if ARGV[15] ~= '' then
    local list, since = KEYS[7 + ARGV[15]], ARGV[16] == '1' and string.format('%.0f', now)
    for at = 8, #KEYS do
      if not since then since = redis.call('ZSCORE', KEYS[at], ARGV[11]) end
      if KEYS[at] ~= list then redis.call('ZREM', KEYS[at], ARGV[11]) end
    end
    if since then redis.call('ZADD', list, since, ARGV[11]) end
  end
end
local deadline = running()
if ARGV[5] ~= '' then
  local first = (expected + 1) .. (deadline ~= '' and ':' .. deadline or '')
  redis.call('HSET', KEYS[2], ARGV[5], first .. ' ' .. ARGV[6])
end
return {'done', expected + 1, deadline}
