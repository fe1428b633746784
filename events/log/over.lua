-- Whose time is over? KEYS clocks, idle, terms; ARGV anew ('1' or '0'), idle milliseconds (0 for never), limit.
-- Answers {games whose turn is over, games that nobody has moved in}. With anew, time begins again for all of them first.
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local function at(milliseconds) return string.format('%.0f', milliseconds) end

if ARGV[1] == '1' then
  for _, game in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
    local seconds = string.match(redis.call('HGET', KEYS[3], game) or '', '"turn_seconds":(%d+)')
    if seconds then redis.call('ZADD', KEYS[1], at(now + seconds * 1000), game) end
  end
  for _, game in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do redis.call('ZADD', KEYS[2], at(now), game) end
end

local idle = {}
local longest = tonumber(ARGV[2])
if longest > 0 then
  idle = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', at(now - longest), 'LIMIT', 0, ARGV[3])
end
return {redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', at(now), 'LIMIT', 0, ARGV[3]), idle}
