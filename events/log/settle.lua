-- Clear a game's due mark unless the game has moved on since. KEYS due, due of bots; ARGV game, version looked at.
local cleared = 0
for _, key in ipairs(KEYS) do
  local mark = redis.call('HGET', key, ARGV[1])
  if mark and tonumber(mark) <= tonumber(ARGV[2]) then cleared = cleared + redis.call('HDEL', key, ARGV[1]) end
end
return cleared
