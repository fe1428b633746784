-- One atomic step: key seen before? last commit as expected? then the entries, the key, the due mark (and the seed).
-- KEYS stream, requests, due, seed; then, for games that somebody may be waited for in: clocks, idle, clock terms
-- ARGV expected version, hash before, number of commits, request field ('' for none), digest, game to mark due ('' for
--      none), seed ('' but at creation), ended ('1' or '0'); then, with the further keys: game, seconds a turn ('' without
--      a clock), does a turn begin ('1' or '0'), clock terms ('' but at creation), and for the lists of games, which are
--      the keys after those: in which of them it stands from now on ('' for where it stood), counted from 1, and is it
--      new there ('1'; '0' moves it only if it stands in another); at the end body and hash of each commit
-- Answers {'seen', version, digest, deadline}, {'done', version, deadline} or {'conflict', last version}; a deadline is
-- in milliseconds, '' where no clock runs. It is remembered with the key: the first answer's is told again.
local expected, count = tonumber(ARGV[1]), tonumber(ARGV[3])
local first, version = #ARGV - 2 * count + 1, expected + count

if ARGV[4] ~= '' then
  local known = redis.call('HGET', KEYS[2], ARGV[4])
  if known then
    local at, deadline, digest = string.match(known, '^(%d+):?(%d*) (.*)$')
    return {'seen', tonumber(at), digest, deadline}
  end
end

local function running()
  return KEYS[5] and ARGV[10] ~= '' and redis.call('ZSCORE', KEYS[5], ARGV[9]) or ''
end
local function hash_of(entry)
  for at = 1, #entry[2], 2 do
    if entry[2][at] == 'h' then return entry[2][at + 1] end
  end
end

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local reached = last and tonumber(string.match(last[1], '^%d+')) or 0
-- The hash too: a log that lost its end in a crash may have come as far again, with other commits.
if reached ~= expected or (last and hash_of(last) or '') ~= ARGV[2] then
  -- An append whose answer was lost is tried again: the commit stands where it was put.
  local id = string.format('%d-0', expected + 1)
  local entry = redis.call('XRANGE', KEYS[1], id, id)[1]
  if entry and hash_of(entry) == ARGV[first + 1] then return {'done', version, running()} end
  return {'conflict', reached}
end

for number = 1, count do
  local at = first + 2 * (number - 1)
  -- Field 1 holds JSON, field 2 the packed form.
  local field = string.byte(ARGV[at]) == 123 and '1' or '2'
  redis.call('XADD', KEYS[1], string.format('%d-0', expected + number), field, ARGV[at], 'h', ARGV[at + 1])
end
if ARGV[7] ~= '' then redis.call('SET', KEYS[4], ARGV[7]) end
if ARGV[8] == '1' then redis.call('DEL', KEYS[4]) end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[3], ARGV[6], version) end
if KEYS[5] then
  local time = redis.call('TIME')
  local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
  if ARGV[12] ~= '' then redis.call('HSET', KEYS[7], ARGV[9], ARGV[12]) end
  if ARGV[8] == '1' then
    redis.call('ZREM', KEYS[5], ARGV[9])
    redis.call('ZREM', KEYS[6], ARGV[9])
  else
    redis.call('ZADD', KEYS[6], string.format('%.0f', now), ARGV[9])
    if ARGV[11] == '1' and ARGV[10] ~= '' then
      redis.call('ZADD', KEYS[5], string.format('%.0f', now + ARGV[10] * 1000), ARGV[9])
    end
  end
  if ARGV[13] ~= '' then
    local list, since = KEYS[7 + ARGV[13]], ARGV[14] == '1' and string.format('%.0f', now)
    for at = 8, #KEYS do
      if not since then since = redis.call('ZSCORE', KEYS[at], ARGV[9]) end
      if KEYS[at] ~= list then redis.call('ZREM', KEYS[at], ARGV[9]) end
    end
    if since then redis.call('ZADD', list, since, ARGV[9]) end
  end
end
local deadline = running()
if ARGV[4] ~= '' then
  local known = version .. (deadline ~= '' and ':' .. deadline or '')
  redis.call('HSET', KEYS[2], ARGV[4], known .. ' ' .. ARGV[5])
end
return {'done', version, deadline}
