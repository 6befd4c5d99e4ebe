"""Places that are certain by name, for clauses that say only 在: 还在广州."""

from __future__ import annotations

import re

_CITY_NAMES = """
北京 上海 天津 重庆 广州 深圳 杭州 南京 苏州 成都 武汉 西安 长沙 郑州 青岛
大连 宁波 厦门 福州 合肥 济南 无锡 常州 南通 扬州 徐州 镇江 温州 绍兴 嘉兴
湖州 金华 台州 丽水 衢州 舟山 泉州 漳州 莆田 龙岩 南昌 九江 赣州 景德镇 烟台
威海 潍坊 淄博 临沂 洛阳 开封 南阳 宜昌 襄阳 株洲 湘潭 衡阳 岳阳 常德 东莞
佛山 珠海 中山 惠州 汕头 江门 湛江 桂林 南宁 柳州 北海 海口 三亚 贵阳 遵义
昆明 大理 丽江 拉萨 兰州 西宁 银川 乌鲁木齐 呼和浩特 包头 太原 大同 石家庄 保定
唐山 秦皇岛 邯郸 沈阳 鞍山 抚顺 长春 吉林 哈尔滨 大庆 齐齐哈尔 牡丹江 敦煌 咸阳
宝鸡 绵阳 乐山 香港 澳门 台北 高雄 台中 台南 新竹 榆林 芜湖 蚌埠 安庆 黄山
延安 东京 大阪 京都 首尔 新加坡 曼谷 吉隆坡 伦敦 巴黎 柏林 慕尼黑 马德里
巴塞罗那 罗马 米兰 维也纳 布拉格 阿姆斯特丹 里加 莫斯科 悉尼 墨尔本 纽约 洛杉矶
旧金山 西雅图 波士顿 芝加哥 多伦多 温哥华 都柏林 爱丁堡 里斯本 赫尔辛基 斯德哥尔摩
奥斯陆 哥本哈根 雅典 伊斯坦布尔 迪拜 开罗 上饶 宜春 三明 南平 淮安 盐城 连云港
泰州 宿迁 义乌 昆山 常熟 张家港 日照 济宁 泰安 德州 聊城 滨州 菏泽 枣庄 东营
安阳 新乡 焦作 许昌 商丘 信阳 周口 驻马店 平顶山 荆州 黄石 十堰 孝感 黄冈 恩施
张家界 郴州 怀化 娄底 邵阳 永州 益阳 梅州 韶关 肇庆 清远 揭阳 潮州 茂名 河源
阳江 梧州 玉林 百色 德阳 南充 泸州 自贡 攀枝花 西昌 雅安 曲靖 玉溪 西双版纳
香格里拉 安顺 凯里 渭南 汉中 安康 天水 酒泉 嘉峪关 张掖 喀什 伊宁 廊坊 沧州
承德 张家口 邢台 衡水 长治 晋城 运城 临汾 赤峰 鄂尔多斯 丹东 锦州 营口 延边
佳木斯 阜阳 六安 马鞍山 滁州 宣城 名古屋 札幌 福冈 釜山 清迈 普吉 河内 雅加达
孟买 新德里 温尼伯 蒙特利尔 费城 华盛顿 休斯顿 圣地亚哥 奥克兰 布里斯班 珀斯
曼彻斯特 利物浦 里昂 马赛 汉堡 法兰克福 苏黎世 日内瓦 华沙 布达佩斯 布鲁塞尔
"""
_PROVINCE_NAMES = """
河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东
海南 四川 贵州 云南 陕西 甘肃 青海 台湾 内蒙古 广西 西藏 宁夏 新疆 东北 内蒙
"""
_COUNTRY_NAMES = """
中国 日本 韩国 朝鲜 越南 泰国 印度 印尼 马来西亚 菲律宾 新加坡 缅甸 蒙古 俄罗斯
美国 加拿大 墨西哥 巴西 阿根廷 智利 秘鲁 英国 法国 德国 意大利 西班牙 葡萄牙
荷兰 比利时 瑞士 瑞典 挪威 芬兰 丹麦 冰岛 波兰 捷克 奥地利 匈牙利 希腊 土耳其
埃及 南非 肯尼亚 加纳 尼日利亚 摩洛哥 澳大利亚 新西兰 爱尔兰 乌克兰 以色列 伊朗
巴基斯坦 爱沙尼亚 拉脱维亚 立陶宛
"""
_DISTRICTS = """
海淀 朝阳 浦东 徐汇 静安 杨浦 闵行 松江 长宁 虹口 宝山 嘉定 天河 海珠 番禺
越秀 白云 南山 福田 罗湖 龙岗 宝安 西湖 滨江 余杭 萧山 望京 通州 昌平 大兴
丰台 武侯 锦江 高新区 江宁 鼓楼 武昌 汉口 汉阳 光谷 雁塔 渝北 江北 沙坪坝
"""
"""Parts of large towns that no other word is written like after 住."""
_CITIES = frozenset(_CITY_NAMES.split())
_PROVINCES = frozenset(_PROVINCE_NAMES.split())
COUNTRIES = frozenset(_COUNTRY_NAMES.split())
_KNOWN = frozenset([*_CITIES, *_PROVINCES, *COUNTRIES])
_SETTLEMENT = re.compile(r"[\w]{1,8}(?:市|省|县|镇|村|区|州|岛|小区|新村|花园)")
_SITE = re.compile(
    r"[\w]{1,10}(?:路|街|大道|广场|巷|胡同|弄|市|省|县|区|镇|村|岛|楼|"
    r"号|层|大厦|校区|园区|商场)(?:[\w]{0,6})"
)
_ORGANISATION = re.compile(
    r"[\w]{1,14}?(?:公司|科技|集团|银行|医院|大学|学院|中学|小学|幼儿园|"
    r"学校|研究院|研究所|实验室|事务所|工作室|超市|书店|"
    r"餐厅|饭店|酒店|咖啡馆|咖啡店|图书馆|博物馆|美术馆|体育馆|出版社|"
    r"报社|电视台|工厂|制药|设计|传媒|文化|律所|诊所|俱乐部|协会|基金会|"
    r"局|厂|店|社|馆)"
)


def is_settlement(name: str) -> bool:
    """Whether people live at a place of this name: a known town, or a name that says so."""
    return name in _KNOWN or bool(_SETTLEMENT.fullmatch(name))


def is_home(name: str) -> bool:
    """Whether one says 住 right before it: a settlement, or a part of a large town."""
    return (is_settlement(name) or name in _DISTRICTS.split()) and not name.endswith("租房")


def is_site(name: str) -> bool:
    """Whether this names where something lies: a settlement, a street, a building."""
    return is_settlement(name) or bool(_SITE.fullmatch(name))


def is_organisation(name: str) -> bool:
    """Whether the name ends like an organisation's, with something of its own before."""
    return bool(_ORGANISATION.fullmatch(name)) and not re.search("[上读念]的", name)


def is_province(name: str) -> bool:
    """Whether people say they are from here with 人 ("湖南人")."""
    return name in _CITIES or name in _PROVINCES or bool(_SETTLEMENT.fullmatch(name))
